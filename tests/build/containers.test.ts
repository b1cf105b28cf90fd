import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql } from '../../db/client.js';
import { compiledSources } from '../../dev/compile.js';
import { readCompose } from '../../deploy/manifests/compose.js';
import { type Machine, openMachine } from '../../deploy/manifests/machine.js';
import { inheritedEnvironment } from '../../dev/start/environment.js';
import { freePorts } from '../../dev/start/ports.js';
import { createSupervisor, type Supervisor } from '../../dev/start/supervisor.js';
import { serviceNames } from '../../platform/service-names.js';
import { shared } from '../helpers/client.js';
import { openTemporalFront } from './fronts.js';

// Every command line of docker-compose.yml, outside containers: Temporal alone is the shared development server, behind
// mutual TLS with the certificates that the file's own would have.
const dev = shared();
const folder = mkdtempSync(join(tmpdir(), 'scriptrail-containers-'));
const { services } = readCompose();
const hosting = Object.keys(services).filter((name) => services[name]!.command?.[1] === '--api');
let machine: Machine;
let sources: string;
let supervisor: Supervisor;
let closeFront: () => void;
let ports: Awaited<ReturnType<typeof freePorts>>;

beforeAll(async () => {
  // Postgres gives up root's rights and must still be able to walk in here.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'logs'));
  ports = await freePorts('127.0.0.1');
  sources = await compiledSources();
  const temporalPort = ports.temporal;
  machine = await openMachine({
    folder,
    ports,
    sources,
    temporalAddress: `127.0.0.1:${temporalPort}`,
    more: { TEMPORAL_NAMESPACE: `containers-${randomUUID()}`, LOG_LEVEL: 'error' },
  });
  closeFront = await openTemporalFront(machine.certificates, dev.temporal.address, temporalPort);
  supervisor = createSupervisor({ stateDir: folder, report: () => undefined, onRestart: () => undefined });
});

afterAll(async () => {
  await supervisor.stop();
  closeFront();
  rmSync(folder, { recursive: true, force: true });
});

test('the compose file brings up everything, approves a prescription, and stops each part in its grace', async () => {
  await supervisor.start(await machine.postgres());
  expect(await machine.job('migrations')).toMatch(/^Applied access\/0000/);
  expect(await machine.job('own-keys')).toMatch(/^orchestrator: made, router, registry/);
  expect(await machine.job('own-keys')).toMatch(/^orchestrator: unchanged/);
  expect(await machine.job('temporal-setup')).toMatch(/^Temporal is ready/);
  await supervisor.start(machine.spec('sandbox'));
  const system = JSON.parse(await machine.job('seeds')) as object;

  expect(hosting).toHaveLength(22);
  for (const name of hosting) await supervisor.start(machine.spec(name));
  for (const name of hosting) expect([name, await machine.health(name)]).toEqual([name, undefined]);

  const owner = createSql(machine.secret('DATABASE_URL').replace('verify-full', 'require'), {
    applicationName: 'test',
    max: 1,
  });
  const unencrypted =
    await owner`select 1 from pg_stat_ssl join pg_stat_activity using (pid) where not ssl and client_addr is not null`;
  expect(unencrypted).toEqual([]);
  await owner.end();

  const description = join(folder, 'system.json');
  const here = serviceNames.map((name) => [name, `http://127.0.0.1:${ports[name]}`]);
  writeFileSync(description, JSON.stringify({ ...system, services: Object.fromEntries(here) as object }));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(sources, 'cli/main.js'), 'approve', '--patient', '0'],
    {
      env: { ...inheritedEnvironment(), SCRIPTRAIL_SYSTEM: description },
    },
  );
  expect(stdout).toMatch(/^200\n[^]*"notification"/);

  const stopping = Date.now();
  await supervisor.stop();
  // Nobody had to be killed: the shortest grace of all is 10 s, and they stop one after the other.
  expect(Date.now() - stopping).toBeLessThan(300_000);
}, 600_000);
