import { randomBytes, randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import {
  addApiKey,
  type ApiKeyEntry,
  type ApiKeyScope,
  apiKeyScopes,
  findApiKey,
  type KeyFlags,
  listApiKeys,
  lockSealedSecrets,
  putSealedSecrets,
  revokeApiKey,
  rotateApiKey,
  setKeyFlags,
} from '../db/access/api-keys.js';
import type { Queryable, Sql } from '../db/client.js';
import type { AccessAction } from '../domain/access-events.js';
import type { KeyRing } from '../platform/crypto/key-ring.js';
import { noteAccess } from './note-access.js';
import { pretty } from './call-service.js';
import { type KeyStore, withKeyStore } from './key-store.js';
import { printList } from './lists.js';
import { ownFlags, ownKeys, putOwnKey } from './own-keys.js';

interface Output {
  json?: true;
}

interface FlagOptions extends Output {
  receivesHolds?: boolean;
  initialCallback?: boolean;
  durable?: boolean;
}

interface CreateOptions extends FlagOptions {
  scopes: ApiKeyScope[];
  physician?: string;
  requestsPerMinute?: number;
  signatureVersion: 1 | 2;
}

/** `rx keys`: the clients of the signed APIs (D4). A secret is shown once, when it is made. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('API keys: create, list, set, rotate, reseal, revoke');

  keys
    .command('create <name>')
    .description('make a key and show its secret')
    .requiredOption('--scopes <list>', `any of ${apiKeyScopes.join(', ')}, separated by commas`, readScopes)
    .option('--physician <id>', 'the physician whose key it is', readPhysician)
    .option('--requests-per-minute <n>', 'a limit of its own; 0 for none', readCount)
    .option('--signature-version <n>', '2: takes no other; 1: takes both', readVersion, 1)
    .option('--receives-holds', 'callbacks of the kind hold go to it too')
    .option(
      '--no-initial-callback',
      'it waits for the answer of submit and needs no callback that repeats it',
    )
    .option('--durable', 'it calls from a run that keeps trying: tried at once, and by a run only then')
    .option('--json', 'print JSON')
    .action(
      async (
        name: string,
        {
          scopes,
          physician,
          requestsPerMinute,
          signatureVersion,
          receivesHolds = false,
          initialCallback = true,
          durable = false,
          json,
        }: CreateOptions,
      ) => {
        const secret = newSecret();
        const key = await withKeyStore(({ sql, ring }) =>
          noted(sql, 'key.create', (sql) =>
            addApiKey(sql, {
              id: newKeyId(),
              name,
              scopes,
              sealedSecret: ring.encryptText(secret),
              physicianId: physician ?? null,
              requestsPerMinute: requestsPerMinute ?? null,
              signatureVersion,
              receivesHolds,
              initialCallback,
              durable,
            }),
          ),
        );
        printKey({ ...key, secret }, json);
      },
    );

  keys
    .command('list')
    .description('all keys, without secrets')
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const all = await withKeyStore(({ sql }) => listApiKeys(sql));
      if (json) console.log(pretty(all.map(named)));
      else printList(all, columns);
    });

  keys
    .command('set <id>')
    .description('change what a key is told and how it is served; what is not named stays')
    .option('--receives-holds', 'callbacks of the kind hold go to it too')
    .option('--no-receives-holds', 'they do not')
    .option('--initial-callback', 'it is told the outcome of a submission by a callback too')
    .option('--no-initial-callback', 'it waits for the answer of submit')
    .option('--durable', 'it calls from a run that keeps trying: tried at once, and by a run only then')
    .option('--no-durable', 'every call of it starts a run')
    .option('--json', 'print JSON')
    .action(async (id: string, { json, ...flags }: FlagOptions) => {
      if (Object.keys(flags).length === 0)
        throw new Error('Say what to set: --[no-]receives-holds, --[no-]initial-callback or --[no-]durable.');
      const key = await withKeyStore(({ sql }) =>
        noted(sql, 'key.set', (sql) => setKeyFlags(sql, id, flags)),
      );
      if (!key) throw new Error(`There is no key ${id}.`);
      printKey(key, json);
    });

  keys
    .command('rotate <id>')
    .description('give a key a new secret and show it; the old one works for the grace period')
    .option('--grace <time>', 'how long the old secret works, as 24h, 30m or 0s', readSeconds, 24 * 60 * 60)
    .option('--json', 'print JSON')
    .action(async (id: string, { grace, json }: Output & { grace: number }) => {
      const secret = newSecret();
      const key = await withKeyStore(({ sql, ring }) =>
        noted(sql, 'key.rotate', (sql) =>
          rotateApiKey(sql, { id, sealedSecret: ring.encryptText(secret), graceSeconds: grace }),
        ),
      );
      if (!key) throw new Error(`There is no active key ${id}.`);
      printKey({ ...key, secret }, json);
    });

  keys
    .command('own')
    .description(
      'make or restore the keys of our own services, of ORCHESTRATOR_API_KEY and _SECRET, INTAKE_, ORGANIZATION_, WORKLIST_',
    )
    .action(async () => {
      const done = await withKeyStore(restoreOwnKeys);
      for (const line of done) console.log(line);
    });

  keys
    .command('reseal')
    .description(
      'seal all secrets with the first key of SECRET_ENCRYPTION_KEYS, so that older ones can be dropped',
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const counts = await withKeyStore(({ sql, ring }) =>
        sql.begin(async (sql) => {
          const resealed = await resealSecrets(sql, ring);
          await noteAccess(sql, 'key.reseal', null);
          return resealed;
        }),
      );
      if (json) console.log(pretty(counts));
      else console.log(`${counts.resealed} resealed with ${counts.keyId}, ${counts.current} were already.`);
    });

  keys
    .command('revoke <id>')
    .description('end a key at once')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: Output) => {
      const key = await withKeyStore(({ sql }) => noted(sql, 'key.revoke', (sql) => revokeApiKey(sql, id)));
      if (!key) throw new Error(`There is no key ${id}.`);
      printKey(key, json);
    });
}

/** @returns a line for each; a repeat finds nothing to do, and leaves no event */
async function restoreOwnKeys({ sql, ring }: KeyStore): Promise<string[]> {
  const lines: string[] = [];
  for (const name of Object.keys(ownKeys) as (keyof typeof ownKeys)[]) {
    const [idSetting, secretSetting] = [`${name.toUpperCase()}_API_KEY`, `${name.toUpperCase()}_API_SECRET`];
    const { [idSetting]: id, [secretSetting]: secret } = process.env;
    if (!id || !secret)
      throw new Error(`${id ? secretSetting : idSetting} is missing: the service's own key.`);
    const isNew = await sql.begin(async (sql) => {
      const kept = await findApiKey(sql, id);
      const flags = Object.entries(ownFlags(name)) as [keyof KeyFlags, boolean][];
      const isKept =
        kept?.isActive === true &&
        kept.requestsPerMinute === 0 &&
        kept.scopes.join() === ownKeys[name].scopes.join() &&
        flags.every(([flag, is]) => kept[flag] === is) &&
        ring.decryptText(kept.sealedSecret) === secret;
      if (isKept) return false;
      await putOwnKey(sql, ring, { name, id, secret });
      await noteAccess(sql, kept ? 'key.set' : 'key.create', id);
      return true;
    });
    lines.push(`${id}: ${isNew ? 'made' : 'is there'}, ${ownKeys[name].scopes.join(', ')}`);
  }
  return lines;
}

/** A change of a key together with its event (D88). */
const noted = <K extends ApiKeyEntry | undefined>(
  sql: Sql,
  action: AccessAction,
  change: (sql: Queryable) => Promise<K>,
): Promise<K> =>
  sql.begin(async (sql) => {
    const key = await change(sql);
    if (key) await noteAccess(sql, action, key.id);
    return key;
  });

/**
 * In one transaction, so that a ring that lacks a key changes nothing; what is sealed with the newest key stays as it
 * is, so that a repeat does nothing (D90).
 */
async function resealSecrets(sql: Queryable, ring: KeyRing) {
  const keyId = ring.current.id;
  const isCurrent = (sealed: string | null) => sealed === null || sealed.startsWith(`${keyId}:`);
  const all = await lockSealedSecrets(sql);
  const stale = all.filter((key) => !isCurrent(key.sealedSecret) || !isCurrent(key.sealedPreviousSecret));
  for (const { id, sealedSecret, sealedPreviousSecret: previous } of stale)
    await putSealedSecrets(sql, {
      id,
      sealedSecret: ring.encryptText(ring.decryptText(sealedSecret)),
      sealedPreviousSecret: previous === null ? null : ring.encryptText(ring.decryptText(previous)),
    });
  return { keyId, resealed: stale.length, current: all.length - stale.length };
}

const newKeyId = (): string => `key-${randomUUID()}`;
const newSecret = (): string => randomBytes(32).toString('hex');

function readScopes(list: string): ApiKeyScope[] {
  const scopes = list.split(',').map((scope) => scope.trim());
  const known = scopes.filter((scope): scope is ApiKeyScope =>
    (apiKeyScopes as readonly string[]).includes(scope),
  );
  if (known.length < scopes.length) throw new InvalidArgumentError(`Scopes are ${apiKeyScopes.join(', ')}.`);
  return [...new Set(known)];
}

function readPhysician(id: string): string {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))
    throw new InvalidArgumentError('A physician is named by the id that the registry gave.');
  return id;
}

function readCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A whole number is needed.');
  return Number(text);
}

function readVersion(text: string): 1 | 2 {
  if (text !== '1' && text !== '2') throw new InvalidArgumentError('Versions are 1 and 2.');
  return text === '1' ? 1 : 2;
}

const secondsPer = { h: 3600, m: 60, s: 1 };

function readSeconds(text: string): number {
  const [, count, unit] = /^(\d{1,6})([hms])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('A time is needed, as 24h, 30m or 0s.');
  return Number(count) * secondsPer[unit as keyof typeof secondsPer];
}

const columns: Record<string, (key: ApiKeyEntry) => string> = {
  Key: ({ id }) => id,
  Name: ({ name }) => name,
  Scopes: ({ scopes }) => scopes.join(', '),
  Physician: ({ physicianId }) => physicianId ?? '',
  'Per minute': ({ requestsPerMinute: limit }) =>
    limit === null ? 'default' : limit === 0 ? 'no limit' : String(limit),
  Signature: ({ signatureVersion: version }) => (version === 2 ? 'version 2 only' : ''),
  Holds: ({ receivesHolds }) => (receivesHolds ? 'received' : ''),
  'Initial callback': ({ initialCallback }) => (initialCallback ? '' : 'no'),
  Durable: ({ durable }) => (durable ? 'yes' : ''),
  Active: ({ isActive }) => (isActive ? 'yes' : 'no'),
  Created: ({ createdAt }) => minute(createdAt),
  Rotated: ({ rotatedAt }) => minute(rotatedAt),
  'Old secret until': ({ previousSecretUntil }) => minute(previousSecretUntil),
  'Last used': ({ lastUsedAt }) => minute(lastUsedAt),
};

/** One key field by field, so that the secret can be copied whole. */
function printKey(key: ApiKeyEntry & { secret?: string }, json?: true): void {
  if (json) {
    console.log(pretty(named(key)));
    return;
  }
  const fields = Object.entries(columns).map(([name, column]) => [name, column(key)] as const);
  const secret = key.secret === undefined ? [] : [['Secret', key.secret] as const];
  for (const [name, value] of [...fields, ...secret])
    if (value !== '') console.log(`${name.padEnd(17)}${value}`);
}

/** As JSON a key's id is called what `dev.json` and the header `X-API-Key` call it. What most keys have in common is left out. */
const named = <K extends ApiKeyEntry>({
  id,
  signatureVersion,
  receivesHolds,
  initialCallback,
  durable,
  ...rest
}: K) => ({
  key: id,
  ...rest,
  ...(signatureVersion === 2 ? { signatureVersion } : {}),
  ...(receivesHolds ? { receivesHolds } : {}),
  ...(initialCallback ? {} : { initialCallback }),
  ...(durable ? { durable } : {}),
});

const minute = (at: Date | null): string => (at === null ? '' : `${at.toISOString().slice(0, 16)}Z`);
