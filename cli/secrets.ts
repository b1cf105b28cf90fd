import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { pharmacySystems, variablesOf } from '../domain/pharmacies.js';
import { serviceShapes } from '../platform/config-shapes.js';
import { type Hosted, hostedNames, storingServices } from '../platform/service-names.js';
import { queueOwners } from '../workflows/queues.js';
import { ownKeys } from './own-keys.js';
import { datedKey, dropKey, oldKeys, rotateSecret } from './secret-rotation.js';

const token = (): string => randomBytes(32).toString('hex');
const ring = (id: string) => (): string => datedKey(id);
/** Every service with tables, the retention, and `access`, which only adds access events. */
const roles = [...hostedNames.filter((name) => name !== 'codec'), 'access'];

const pharmacyVariables = pharmacySystems.map(variablesOf);

/** Secrets that only we use, and those that external services sign webhooks with. */
const generated: Record<string, () => string> = {
  POSTGRES_PASSWORD: token,
  TEMPORAL_POSTGRES_PASSWORD: token,
  ...Object.fromEntries(storingServices.map((name) => [`${name.toUpperCase()}_CODEC_KEYS`, ring(name)])),
  EVENTS_CODEC_KEYS: ring('events'),
  SECRET_ENCRYPTION_KEYS: ring('secret'),
  ADMIN_JWT_SECRET: token,
  ID_HASH_SECRET: token,
  PLAN_TOKEN_SECRET: token,
  PAYMENT_LINK_SECRET: token,
  ...Object.fromEntries(Object.keys(ownKeys).map((name) => [`${name.toUpperCase()}_API_SECRET`, token])),
  EMR_WEBHOOK_SECRET: token,
  EVENT_SINK_SECRET: token,
  ...Object.fromEntries(pharmacyVariables.map(({ webhookSecret }) => [webhookSecret, token])),
};

/** Secrets that external services issue. The sandbox accepts any value. */
const given: Record<string, () => string> = {
  EMR_TOKEN: token,
  ...Object.fromEntries(
    pharmacyVariables.flatMap(({ credentials }) => credentials.map((name) => [name, token])),
  ),
  SHIPPING_API_KEY: token,
  SHIPPING_API_SECRET: token,
  STRIPE_SECRET_KEY: () => `sk_test_${token()}`,
  STRIPE_WEBHOOK_SECRET: () => `whsec_${token()}`,
  TWILIO_ACCOUNT_SID: () => `AC${randomBytes(16).toString('hex')}`,
  TWILIO_AUTH_TOKEN: token,
  CODEC_PATH_TOKEN: () => randomBytes(16).toString('hex'),
};
/** An empty file means that there is none. */
const optional = ['SMTP_PASSWORD', 'CHAT_WEBHOOK_URL', 'CRM_WEBHOOK_URL', 'TEMPORAL_AUTH_CLIENT_SECRET'];

interface Options {
  database: string;
  sandbox?: true;
}

/** `rx secrets`: fills the folder that `SECRETS_DIR` names, with a file for each secret. */
export function addSecretsCommand(program: Command): void {
  const secrets = program.command('secrets').description('the files of SECRETS_DIR');
  secrets
    .command('split <folder> <to>')
    .description('copy the secrets of each service, and of each queue by itself, into a folder of its name')
    .action((folder: string, to: string) => {
      splitSecrets(folder, to);
      console.log(`Each folder in ${to} has the secrets of one service.`);
    });
  addRotation(secrets);
  secrets
    .command('create <folder>')
    .description('generate our own secrets, and list the files that you must fill')
    .option('--database <place>', 'address of Postgres as host:port/database', 'postgres:5432/scriptrail')
    .option('--sandbox', 'external services are simulated, so generate their secrets too')
    .action((folder: string, options: Options) => {
      const empty = createSecrets(folder, options);
      console.log(`Generated our own secrets in ${folder}.`);
      if (empty.length > 0) console.log(`Fill in: ${empty.join(', ')}.`);
      console.log(`May stay empty: ${optional.join(', ')}${options.sandbox ? '' : ', CODEC_PATH_TOKEN'}.`);
    });
}

function addRotation(secrets: Command): void {
  secrets
    .command('rotate <folder> <name>')
    .description('take the next step in rotating one of our secrets, and print the one after it')
    .option('--drop <id>', 'remove a key of a ring that is no longer first')
    .action((folder: string, name: string, { drop }: { drop?: string }) => {
      if (drop !== undefined) dropKey(folder, name, drop);
      console.log(
        drop === undefined ? rotateSecret(folder, name, Object.keys(generated)) : `${drop} is gone.`,
      );
    });
  secrets
    .command('age <folder>')
    .description('list rings whose key is older than a year; exit code 1 if there are any')
    .action((folder: string) => {
      const old = oldKeys(folder);
      console.log(old.length === 0 ? 'Every key is younger than a year.' : old.join('\n'));
      if (old.length > 0) process.exitCode = 1;
    });
}

/**
 * Keeps existing files, so that a repeat adds what a newer version needs. @returns the required files that are empty
 */
export function createSecrets(folder: string, { database, sandbox }: Options): string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, value: () => string): string => {
    const path = join(folder, name);
    if (!existsSync(path) || readFileSync(path, 'utf8').trim() === '')
      writeFileSync(path, value(), { mode: 0o600 });
    return readFileSync(path, 'utf8').trim();
  };
  for (const [name, make] of Object.entries(generated)) write(name, make);
  const url = (role: string, password: string) =>
    `postgres://${role}:${password}@${database}?sslmode=verify-full`;
  write('DATABASE_URL', () => url('scriptrail', readFileSync(join(folder, 'POSTGRES_PASSWORD'), 'utf8')));
  for (const role of roles)
    write(`${role.toUpperCase()}_DATABASE_URL`, () => url(`scriptrail_${role}`, token()));
  const left = Object.entries(given).filter(([name, make]) => write(name, sandbox ? make : () => '') === '');
  for (const name of optional) write(name, () => '');
  return left.map(([name]) => name).filter((name) => name !== 'CODEC_PATH_TOKEN');
}

/** The services, and the queues that a process may host by themselves, with the service whose settings they use. */
const owners: Record<string, Hosted> = {
  ...queueOwners,
  ...Object.fromEntries(hostedNames.map((name) => [name, name])),
};

/**
 * Gives each process a folder with the secrets that its service reads, and no other. Folders of an earlier split are
 * replaced, so that no secret stays that has been withdrawn.
 */
export function splitSecrets(folder: string, to: string): void {
  for (const [name, owner] of Object.entries(owners)) {
    const own = join(to, name);
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own, { recursive: true, mode: 0o700 });
    for (const secret of secretsOf(owner, readdirSync(folder)))
      writeFileSync(join(own, secret), readFileSync(join(folder, secret)), { mode: 0o600 });
  }
}

/** Those of the files that a service reads. Temporal Cloud wants its key from every process. */
const secretsOf = (service: Hosted, files: readonly string[]): string[] =>
  files.filter((name) => name in serviceShapes[service] || name === 'TEMPORAL_API_KEY');
