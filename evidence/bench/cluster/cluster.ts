import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { System } from '../../../cli/system.js';
import { createSql } from '../../../db/client.js';
import { hostedNames, serviceNames } from '../../../platform/service-names.js';
import { compiledSources } from '../../../dev/compile.js';
import { type Machine, openMachine } from '../../../deploy/manifests/machine.js';
import type { Progress } from '../../../dev/progress.js';
import { freePorts } from '../../../dev/start/ports.js';
import { type ChildSpec, createSupervisor } from '../../../dev/start/supervisor.js';
import { resolveTemporalServer } from '../../../dev/tools/temporal-server.js';
import { openBalancer } from './balancer.js';

export interface Cluster {
  system: System;
  sandbox: string;
  /** The current process of each part by name: `postgres`, `temporal-1`, `temporal-2`, `sandbox`, the services. */
  pids: () => Record<string, number>;
  stop: () => Promise<void>;
}

/** Ports of a node from its first: the frontend, then internal ones. */
const nodePorts = [
  'FRONTEND_GRPC_PORT',
  'FRONTEND_HTTP_PORT',
  'FRONTEND_MEMBERSHIP_PORT',
  'HISTORY_GRPC_PORT',
  'HISTORY_MEMBERSHIP_PORT',
  'MATCHING_GRPC_PORT',
  'MATCHING_MEMBERSHIP_PORT',
  'WORKER_GRPC_PORT',
  'WORKER_MEMBERSHIP_PORT',
];

/**
 * Runs docker-compose.yml on this machine: a process for each service (`--service`) and two Temporal servers over one
 * Postgres, with TLS on every connection.
 * @param plugin the Postgres plugin of Temporal
 */
export async function startCluster(progress: Progress, plugin: string): Promise<Cluster> {
  const { server, sqlTool } = await resolveTemporalServer(progress);
  const folder = mkdtempSync(join(tmpdir(), 'scriptrail-cluster-'));
  // Postgres drops root's rights and still has to read this folder.
  chmodSync(folder, 0o755);
  const [ports, one, two] = [
    await freePorts('127.0.0.1'),
    await freePorts('127.0.0.1'),
    await freePorts('127.0.0.1'),
  ];
  const sources = await compiledSources();
  const machine = await openMachine({
    folder,
    ports,
    sources,
    temporalAddress: `127.0.0.1:${ports.temporal}`,
    more: {
      LOG_LEVEL: 'warn',
      PATH: `${join(sqlTool, '..')}:${process.env['PATH'] ?? ''}`,
      // The name must be in the certificate.
      SQL_HOST: 'localhost',
      SQL_PORT: String(ports.postgres),
      DB: plugin,
      POSTGRES_SEEDS: 'localhost',
      DB_PORT: String(ports.postgres),
    },
  });
  const supervisor = createSupervisor({ stateDir: folder, report: progress.say, onRestart: () => undefined });
  const host = '127.0.0.1';
  const closeBalancer = await openBalancer(
    { host, port: ports.temporal },
    [one.base, two.base].map((base) => ({ host, port: base + 1 })),
  );
  const stop = async () => {
    await supervisor.stop();
    closeBalancer();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await progress.during('Postgres, with TLS', async () => {
      await supervisor.start(await machine.postgres());
      await makeTemporalDatabases(machine, ports.postgres);
      await machine.job('temporal-schema');
    });
    // Sequentially: the first node initializes the cluster, and a concurrent second one would exit.
    await progress.during('Two Temporal servers', async () => {
      for (const [at, { base }] of [one, two].entries())
        await supervisor.start(node(machine, server, `temporal-${at + 1}`, base + 1));
    });
    for (const job of ['migrations', 'own-keys', 'temporal-setup'])
      await progress.during(job, () => machine.job(job));
    await supervisor.start(machine.spec('sandbox'));
    const seeded = JSON.parse(await machine.job('seeds')) as System;
    await progress.during('The services', async () => {
      for (const name of hostedNames) await supervisor.start(machine.service(name));
    });
    const services = Object.fromEntries(
      serviceNames.map((name) => [name, `http://127.0.0.1:${ports[name]}`]),
    );
    return {
      system: { ...seeded, services },
      sandbox: `http://127.0.0.1:${ports.sandbox}`,
      pids: supervisor.pids,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Does what deploy/temporal-databases.sh does in the image of Postgres. */
async function makeTemporalDatabases(machine: Machine, port: number): Promise<void> {
  const password = machine.secret('POSTGRES_PASSWORD');
  const url = `postgres://scriptrail:${password}@127.0.0.1:${port}/scriptrail?sslmode=require`;
  const sql = createSql(url, { applicationName: 'cluster', max: 1 });
  await sql.unsafe(`create role temporal login password '${machine.secret('TEMPORAL_POSTGRES_PASSWORD')}'`);
  for (const name of ['temporal', 'temporal_visibility'])
    await sql.unsafe(`create database ${name} owner temporal`);
  await sql.end();
}

function node(machine: Machine, server: string, name: string, firstPort: number): ChildSpec {
  const spec = machine.spec('temporal');
  const ports = Object.fromEntries(nodePorts.map((variable, at) => [variable, String(firstPort + at)]));
  return {
    ...spec,
    name,
    args: spec.args.map((word) => word.replace('/etc/temporal/entrypoint.sh', `${server} start`)),
    env: { ...spec.env, ...ports, BIND_ON_IP: '127.0.0.1', TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1' },
    ready: () => listens(firstPort),
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
