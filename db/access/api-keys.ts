import { first, type Queryable } from '../client.js';

export const apiKeyScopes = [
  'router',
  'orchestrator',
  'registry',
  'notification',
  'worklist',
  'payments',
  'timeline',
  'admin',
] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

export interface ApiKey {
  id: string;
  name: string;
  /** null if the key has no scope that the reading service serves. */
  sealedSecret: string | null;
  /** Accepted until `previousSecretUntil` after a rotation (D4). */
  sealedPreviousSecret: string | null;
  previousSecretUntil: Date | null;
  scopes: ApiKeyScope[];
  physicianId: string | null;
  /** null: the configured limit; 0: no limit. */
  requestsPerMinute: number | null;
  /** 2: accepts version 2 only; 1: accepts both (D91). */
  signatureVersion: 1 | 2;
  /** Gets callbacks of kind `hold` (D100). */
  receivesHolds: boolean;
  /** false: reads the answer of submit, so it gets no initial callback (D103). */
  initialCallback: boolean;
  /** The caller retries durably: the request gets one try before a workflow starts (D113). */
  durable: boolean;
  /** The caller handles its failed approvals itself, so they open no work item (D137). */
  ownsFailures: boolean;
  /** The client whose tasks it reaches, for good; '' is the default client (D140). */
  client: string;
  /** A key of one of our own services. */
  isOwn: boolean;
  isActive: boolean;
  lastUsedAt: Date | null;
}

export const findApiKey = (sql: Queryable, id: string) =>
  first(sql<ApiKey[]>`
    select api_key.id, name, sealed_secret, sealed_previous_secret, previous_secret_until, scopes, physician_id,
      requests_per_minute, signature_version, receives_holds, initial_callback, durable,
      owns_failures, client, is_own, is_active, last_used_at
    from access.api_key
    left join access.api_key_secret secret on secret.id = api_key.id
    where api_key.id = ${id}
  `);

/** Updates the last use at most once a minute, to limit writes. */
export async function touchApiKey(sql: Queryable, id: string): Promise<void> {
  await sql`
    update access.api_key set last_used_at = now()
    where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')
  `;
}

export type KeyFlags = Pick<ApiKey, 'receivesHolds' | 'initialCallback' | 'durable' | 'ownsFailures'>;

export type NewApiKey = KeyFlags &
  Pick<ApiKey, 'id' | 'name' | 'scopes' | 'physicianId' | 'requestsPerMinute' | 'signatureVersion'> &
  Partial<Pick<ApiKey, 'client' | 'isOwn'>> & {
    sealedSecret: string;
    isActive: boolean;
  };

/** A key without its secrets. */
export interface ApiKeyEntry extends Omit<ApiKey, `sealed${string}`> {
  createdAt: Date;
  rotatedAt: Date | null;
}

const entryColumns = (sql: Queryable) => sql`
  id, name, scopes, physician_id, requests_per_minute, signature_version, receives_holds, initial_callback,
  durable, owns_failures, client, is_own, is_active, last_used_at, created_at, rotated_at, previous_secret_until
`;

/** Oldest first. */
export const listApiKeys = (sql: Queryable) =>
  sql<ApiKeyEntry[]>`select ${entryColumns(sql)} from access.api_key order by created_at, id`;

/** Adds a key. This and the following changes need the migrator's role. */
export async function addApiKey(
  sql: Queryable,
  { sealedSecret, ...key }: Omit<NewApiKey, 'isActive'>,
): Promise<ApiKeyEntry> {
  const [entry] = await sql<[ApiKeyEntry]>`
    with secret as (
      insert into access.api_key_secret (id, sealed_secret) values (${key.id}, ${sealedSecret})
    )
    insert into access.api_key ${sql(key)}
    returning ${entryColumns(sql)}
  `;
  return entry;
}

/**
 * Sets a new secret; the current one stays valid for the grace period (D4).
 * @returns undefined when no active key has this id
 */
export const rotateApiKey = (
  sql: Queryable,
  { id, sealedSecret, graceSeconds }: { id: string; sealedSecret: string; graceSeconds: number },
) =>
  first(sql<ApiKeyEntry[]>`
    with secret as (
      update access.api_key_secret secret
      set sealed_previous_secret = sealed_secret, sealed_secret = ${sealedSecret}
      from access.api_key
      where secret.id = ${id} and api_key.id = ${id} and is_active
    )
    update access.api_key
    set rotated_at = now(), previous_secret_until = now() + ${graceSeconds} * interval '1 second'
    where id = ${id} and is_active
    returning ${entryColumns(sql)}
  `);

interface SealedSecrets {
  id: string;
  sealedSecret: string;
  sealedPreviousSecret: string | null;
}

/** The sealed secrets of all keys, locked until the transaction ends. */
export const lockSealedSecrets = (sql: Queryable): Promise<SealedSecrets[]> =>
  sql`select id, sealed_secret, sealed_previous_secret from access.api_key_secret order by id for update`;

/** Replaces the sealed form of a key's secrets, not the secrets. */
export async function putSealedSecrets(
  sql: Queryable,
  { id, sealedSecret, sealedPreviousSecret }: SealedSecrets,
): Promise<void> {
  await sql`
    update access.api_key_secret
    set sealed_secret = ${sealedSecret}, sealed_previous_secret = ${sealedPreviousSecret}
    where id = ${id}
  `;
}

/** Changes the given flags only. @returns undefined when no key has this id */
export const setKeyFlags = (
  sql: Queryable,
  id: string,
  {
    receivesHolds = null,
    initialCallback = null,
    durable = null,
    ownsFailures = null,
  }: { [K in keyof KeyFlags]?: boolean | null | undefined },
) =>
  first(sql<ApiKeyEntry[]>`
    update access.api_key
    set receives_holds = coalesce(${receivesHolds}, receives_holds),
      initial_callback = coalesce(${initialCallback}, initial_callback),
      durable = coalesce(${durable}, durable),
      owns_failures = coalesce(${ownsFailures}, owns_failures)
    where id = ${id}
    returning ${entryColumns(sql)}
  `);

/** Revokes a key and both its secrets at once. @returns undefined when no key has this id */
export const revokeApiKey = (sql: Queryable, id: string) =>
  first(sql<ApiKeyEntry[]>`
    with secret as (update access.api_key_secret set sealed_previous_secret = null where id = ${id})
    update access.api_key
    set is_active = false, previous_secret_until = null
    where id = ${id}
    returning ${entryColumns(sql)}
  `);

/** Adds or replaces a key; its client stays (D140). Needs the migrator's role. */
export async function putApiKey(sql: Queryable, key: NewApiKey): Promise<void> {
  const row = { client: '', isOwn: false, ...key };
  await sql`
    with secret as (
      insert into access.api_key_secret (id, sealed_secret) values (${key.id}, ${key.sealedSecret})
      on conflict (id) do update set sealed_secret = excluded.sealed_secret
    )
    insert into access.api_key ${sql(row, 'id', 'name', 'scopes', 'physicianId', 'requestsPerMinute', 'signatureVersion', 'receivesHolds', 'initialCallback', 'durable', 'ownsFailures', 'client', 'isOwn', 'isActive')}
    on conflict (id) do update set
      name = excluded.name, scopes = excluded.scopes,
      physician_id = excluded.physician_id, requests_per_minute = excluded.requests_per_minute,
      signature_version = excluded.signature_version,
      receives_holds = excluded.receives_holds, initial_callback = excluded.initial_callback,
      durable = excluded.durable, owns_failures = excluded.owns_failures, is_own = excluded.is_own,
      is_active = excluded.is_active
  `;
}
