import type { Queryable } from '../client.js';

export const apiKeyScopes = ['router', 'orchestrator', 'registry', 'notification', 'admin'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

export interface ApiKey {
  id: string;
  name: string;
  sealedSecret: string;
  /** Honoured until `previousSecretUntil` after a rotation (D4). */
  sealedPreviousSecret: string | null;
  previousSecretUntil: Date | null;
  scopes: ApiKeyScope[];
  physicianId: string | null;
  /** null: the configured limit; 0: none. */
  requestsPerMinute: number | null;
  isActive: boolean;
  lastUsedAt: Date | null;
}

export async function findApiKey(sql: Queryable, id: string): Promise<ApiKey | undefined> {
  const [key] = await sql<ApiKey[]>`
    select id, name, sealed_secret, sealed_previous_secret, previous_secret_until, scopes, physician_id,
      requests_per_minute, is_active, last_used_at
    from access.api_key
    where id = ${id}
  `;
  return key;
}

/** Notes the use of a key, to the minute: a busy key is not written at every request. */
export async function touchApiKey(sql: Queryable, id: string): Promise<void> {
  await sql`
    update access.api_key set last_used_at = now()
    where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')
  `;
}

export type NewApiKey = Pick<
  ApiKey,
  'id' | 'name' | 'sealedSecret' | 'scopes' | 'physicianId' | 'requestsPerMinute'
> & {
  isActive: boolean;
};

/** Adds a key, or replaces the one of the same id (development data). Needs the migrator's role. */
export async function putApiKey(sql: Queryable, key: NewApiKey): Promise<void> {
  await sql`
    insert into access.api_key ${sql(key, 'id', 'name', 'sealedSecret', 'scopes', 'physicianId', 'requestsPerMinute', 'isActive')}
    on conflict (id) do update set
      name = excluded.name, sealed_secret = excluded.sealed_secret, scopes = excluded.scopes,
      physician_id = excluded.physician_id, requests_per_minute = excluded.requests_per_minute,
      is_active = excluded.is_active
  `;
}
