import { randomBytes, randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import {
  addApiKey,
  type ApiKeyEntry,
  type ApiKeyScope,
  apiKeyScopes,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  setKeyFlags,
} from '../db/access/api-keys.js';
import { pretty } from './call-service.js';
import { changeKey, resealSecrets, withKeyStore } from './key-store.js';
import { printList } from './lists.js';
import { restoreOwnKeys } from './own-keys.js';
import { readInteger, readSeconds } from './values.js';

interface Output {
  json?: true;
}

interface FlagOptions extends Output {
  receivesHolds?: boolean;
  initialCallback?: boolean;
  durable?: boolean;
  ownsFailures?: boolean;
}

interface CreateOptions extends FlagOptions {
  scopes: ApiKeyScope[];
  physician?: string;
  requestsPerMinute?: number;
  signatureVersion: 1 | 2;
  client?: string;
}

const durable =
  'The caller retries durably. Scriptrail does the work in the request and starts a workflow only if that fails';

const ownsFailures = 'The caller handles its failed approvals itself: they open no work item';

/** `rx keys`: the clients of the signed APIs (D4). A secret is shown once, when it is made. */
export function addKeysCommand(program: Command): void {
  const keys = program.command('keys').description('API keys: create, list, set, rotate, reseal, revoke');

  keys
    .command('create <name>')
    .description('create a key and show its secret')
    .requiredOption('--scopes <list>', `any of ${apiKeyScopes.join(', ')}, separated by commas`, readScopes)
    .option('--client <name>', 'the client whose tasks the key reaches; it never changes', readClient)
    .option('--physician <id>', 'the physician who owns the key', readPhysician)
    .option('--requests-per-minute <n>', 'rate limit of this key; 0 for none', readCount)
    .option('--signature-version <n>', '2: only version 2; 1: both versions', readVersion, 1)
    .option('--receives-holds', 'send callbacks of the kind hold too')
    .option('--no-initial-callback', 'send no callback that repeats the answer of submit')
    .option('--durable', durable)
    .option('--owns-failures', ownsFailures)
    .option('--json', 'print JSON')
    .action(async (name: string, { json, physician, requestsPerMinute, ...options }: CreateOptions) => {
      const [id, secret] = [`key-${randomUUID()}`, newSecret()];
      const key = await withKeyStore(({ sql, ring }) =>
        changeKey(sql, 'key.create', (sql) =>
          addApiKey(sql, {
            id,
            name,
            sealedSecret: ring.encryptText(secret, id),
            physicianId: physician ?? null,
            requestsPerMinute: requestsPerMinute ?? null,
            receivesHolds: false,
            initialCallback: true,
            durable: false,
            ownsFailures: false,
            ...options,
          }),
        ),
      );
      printKey({ ...key, secret }, json);
    });

  keys
    .command('list')
    .description('list all keys without secrets')
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const all = await withKeyStore(({ sql }) => listApiKeys(sql));
      if (json) console.log(pretty(all.map(asJson)));
      else printList(all, columns);
    });

  keys
    .command('set <id>')
    .description('change the given options of a key; the others stay')
    .option('--receives-holds', 'send callbacks of the kind hold too')
    .option('--no-receives-holds', 'do not send them')
    .option('--initial-callback', 'send the outcome of a submission by a callback too')
    .option('--no-initial-callback', 'send it only as the answer of submit')
    .option('--durable', durable)
    .option('--no-durable', 'every call starts a workflow')
    .option('--owns-failures', ownsFailures)
    .option('--no-owns-failures', 'each failed approval opens a work item')
    .option('--json', 'print JSON')
    .action(async (id: string, { json, ...flags }: FlagOptions) => {
      if (Object.keys(flags).length === 0)
        throw new Error(
          'Say what to set: --[no-]receives-holds, --[no-]initial-callback, --[no-]durable or --[no-]owns-failures.',
        );
      const key = await withKeyStore(({ sql }) =>
        changeKey(sql, 'key.set', (sql) => setKeyFlags(sql, id, flags)),
      );
      if (!key) throw new Error(`There is no key ${id}.`);
      printKey(key, json);
    });

  keys
    .command('rotate <id>')
    .description('give a key a new secret and show it; the old secret works for the grace period')
    .option(
      '--grace <time>',
      'how long the old secret works, such as 24h, 30m or 0s',
      readSeconds,
      24 * 3_600,
    )
    .option('--json', 'print JSON')
    .action(async (id: string, { grace, json }: Output & { grace: number }) => {
      const secret = newSecret();
      const key = await withKeyStore(({ sql, ring }) =>
        changeKey(sql, 'key.rotate', (sql) =>
          rotateApiKey(sql, { id, sealedSecret: ring.encryptText(secret, id), graceSeconds: grace }),
        ),
      );
      if (!key) throw new Error(`There is no active key ${id}.`);
      printKey({ ...key, secret }, json);
    });

  keys
    .command('own')
    .description(
      'create or restore the keys of our own services from ORCHESTRATOR_API_KEY and _SECRET, INTAKE_, ORGANIZATION_, WORKLIST_',
    )
    .action(async () => {
      for (const line of await withKeyStore(restoreOwnKeys)) console.log(line);
    });

  keys
    .command('reseal')
    .description('encrypt all secrets with the first key of SECRET_ENCRYPTION_KEYS; older keys can then go')
    .option('--json', 'print JSON')
    .action(async ({ json }: Output) => {
      const counts = await withKeyStore(resealSecrets);
      if (json) console.log(pretty(counts));
      else console.log(`${counts.resealed} encrypted with ${counts.keyId}, ${counts.current} unchanged.`);
    });

  keys
    .command('revoke <id>')
    .description('end a key at once')
    .option('--json', 'print JSON')
    .action(async (id: string, { json }: Output) => {
      const key = await withKeyStore(({ sql }) =>
        changeKey(sql, 'key.revoke', (sql) => revokeApiKey(sql, id)),
      );
      if (!key) throw new Error(`There is no key ${id}.`);
      printKey(key, json);
    });
}

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
    throw new InvalidArgumentError("Give the physician's id in the registry.");
  return id;
}

function readClient(name: string): string {
  if (!/^[a-z0-9-]{1,40}$/.test(name))
    throw new InvalidArgumentError('A client is 1 to 40 of a-z, 0-9 and -.');
  return name;
}

function readCount(text: string): number {
  const count = readInteger(text);
  if (count < 0) throw new InvalidArgumentError('Give a number of 0 or more.');
  return count;
}

function readVersion(text: string): 1 | 2 {
  if (text !== '1' && text !== '2') throw new InvalidArgumentError('Versions are 1 and 2.');
  return text === '1' ? 1 : 2;
}

const columns: Record<string, (key: ApiKeyEntry) => string> = {
  Key: ({ id }) => id,
  Name: ({ name }) => name,
  Scopes: ({ scopes }) => scopes.join(', '),
  Client: ({ client }) => client,
  Physician: ({ physicianId }) => physicianId ?? '',
  'Per minute': ({ requestsPerMinute: limit }) =>
    limit === null ? 'default' : limit === 0 ? 'no limit' : String(limit),
  Signature: ({ signatureVersion: version }) => (version === 2 ? 'version 2 only' : ''),
  Holds: ({ receivesHolds }) => (receivesHolds ? 'received' : ''),
  'Initial callback': ({ initialCallback }) => (initialCallback ? '' : 'no'),
  Durable: ({ durable }) => (durable ? 'yes' : ''),
  'Owns failures': ({ ownsFailures }) => (ownsFailures ? 'yes' : ''),
  Active: ({ isActive }) => (isActive ? 'yes' : 'no'),
  Created: ({ createdAt }) => minute(createdAt),
  Rotated: ({ rotatedAt }) => minute(rotatedAt),
  'Old secret until': ({ previousSecretUntil }) => minute(previousSecretUntil),
  'Last used': ({ lastUsedAt }) => minute(lastUsedAt),
};

/** Prints a key field by field: a table would break the secret, which must be copied whole. */
function printKey(key: ApiKeyEntry & { secret?: string }, json?: true): void {
  if (json) {
    console.log(pretty(asJson(key)));
    return;
  }
  const fields = Object.entries(columns).map(([name, column]) => [name, column(key)] as const);
  for (const [name, value] of [...fields, ['Secret', key.secret ?? ''] as const])
    if (value !== '') console.log(`${name.padEnd(17)}${value}`);
}

/** Names the id `key`, as the system's description and `X-API-Key` do. Leaves out default values. */
const asJson = <K extends ApiKeyEntry>(entry: K) => {
  const {
    id,
    signatureVersion,
    receivesHolds,
    initialCallback,
    durable,
    ownsFailures,
    client,
    isOwn,
    ...rest
  } = entry;
  return {
    key: id,
    ...rest,
    ...(signatureVersion === 2 && { signatureVersion }),
    ...(receivesHolds && { receivesHolds }),
    ...(!initialCallback && { initialCallback }),
    ...(durable && { durable }),
    ...(ownsFailures && { ownsFailures }),
    ...(client !== '' && { client }),
    ...(isOwn && { isOwn }),
  };
};

const minute = (at: Date | null): string => (at === null ? '' : `${at.toISOString().slice(0, 16)}Z`);
