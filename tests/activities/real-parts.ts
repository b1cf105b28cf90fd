import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { createSql } from '../../db/client.js';
import { defaultStateDir } from '../../dev/dev-json.js';
import { productEnvironment } from '../../dev/start/environment.js';
import { portsFrom } from '../../dev/start/ports.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import { loadConfig } from '../../platform/config.js';
import { type DatabaseRole, serviceNames, servicePortOffsets } from '../../platform/service-names.js';
import { createLogger } from '../../platform/logger.js';
import { encryptedDataConverter } from '../../platform/temporal/codec.js';
import type { WorkerContext } from '../../workers/context.js';
import { shared } from '../helpers/client.js';

export const dev = shared();

const portOf = (url: string): number => Number(new URL(url).port);
const stateDir = defaultStateDir();

/** Settings of the shared system's processes; activated prescriptions start approvals, and charges send receipts. */
const config = loadConfig(
  productEnvironment({
    host: '127.0.0.1',
    ports: portsFrom({
      PORT_BASE: String(portOf(dev.services.router) - servicePortOffsets.router),
      POSTGRES_PORT: String(portOf(dev.databaseUrl)),
      TEMPORAL_PORT: String(portOf(`http://${dev.temporal.address}`)),
      TEMPORAL_UI_PORT: String(portOf(dev.temporal.ui)),
    }),
    secrets: loadSecrets(stateDir),
    sandboxDataDir: join(stateDir, 'sandbox'),
    settings: { AUTO_APPROVE_FROM_EMR: 'true', RECEIPTS: 'true', REFILL_NOTICE_DAYS: '3' },
  }),
  [...serviceNames, 'retention'],
);

// Failures that are expected here would be logged as warnings.
Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'OFF' } } });
const connection = await NativeConnection.connect({ address: dev.temporal.address });
const temporalFor = (service: DatabaseRole) =>
  new Client({
    connection,
    namespace: dev.temporal.namespace,
    dataConverter: encryptedDataConverter(config.codecKeys(service), 'client'),
  });

/** The database as its owner sees it. */
export const db = createSql(dev.databaseUrl, { applicationName: 'test', max: 4 });

const contexts = new Map<DatabaseRole, WorkerContext>();

/** Dependencies of a service's activities: its own role in the database, its own settings. */
export function contextOf(service: DatabaseRole): WorkerContext {
  const context = contexts.get(service) ?? {
    config,
    logger: createLogger({ level: 'silent' }),
    temporal: temporalFor(service),
    sql: createSql(config.databaseUrl(service), { applicationName: 'test', max: 4 }),
  };
  contexts.set(service, context);
  return context;
}

export async function closeParts(): Promise<void> {
  await Promise.all([db, ...[...contexts.values()].map(({ sql }) => sql)].map((sql) => sql.end()));
  await connection.close();
}

/** Runs an activity as a worker does, with time enough for its calls on a busy machine. */
export const running = <Input, Answer>(
  activity: (input: Input) => Promise<Answer>,
  input: Input,
  attempt = 1,
): Promise<Answer> =>
  new MockActivityEnvironment({ attempt, startToCloseTimeoutMs: 60_000 }).run<
    [Input],
    Answer,
    typeof activity
  >(activity, input);

/** The run that a workflow id has now; undefined while it has none. */
export async function runOf(workflowId: string): Promise<string> {
  return (await temporalFor('router').workflow.getHandle(workflowId).describe()).runId;
}
