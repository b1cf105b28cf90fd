import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { type RunningApi, startApi } from '../../api/server.js';
import { createSql, type Sql } from '../../db/client.js';
import { defaultStateDir, type DevJson } from '../../dev/dev-json.js';
import { productEnvironment } from '../../dev/start/environment.js';
import { freePorts } from '../../dev/start/ports.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import { loadConfig, type ServiceName } from '../../platform/config.js';
import { createLogger } from '../../platform/logger.js';
import { encryptedDataConverter } from '../../platform/temporal/data-converter.js';
import { temporal } from '../../platform/temporal/proto.js';
import { setupTemporal } from '../../platform/temporal/setup.js';
import { eventually } from '../helpers/client.js';

/** Services on the data of the shared system, whose runs begin where no worker serves them: they stay as they began. */
export interface Unserved {
  /** The shared system, with these services in place of its own. */
  dev: DevJson;
  sql: Sql;
  client: Client;
  /** Bounds every wait of the client: lateness without waiting for it. */
  patienceMs: number;
  /** The workflow id of the run that began last, once it has. */
  begun: (already: number) => Promise<string>;
  /** How many runs have begun or were joined. */
  count: () => number;
  terminate: (workflowId: string) => Promise<void>;
  /** Cancels a run that takes its cancellation. */
  cancel: (workflowId: string) => Promise<void>;
  stop: () => Promise<void>;
}

export async function openUnserved(
  shared: DevJson,
  namespace: string,
  names: readonly ServiceName[],
): Promise<Unserved> {
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'OFF' } } });
  const host = '127.0.0.1';
  const { address } = shared.temporal;
  const stateDir = defaultStateDir();
  const env = productEnvironment({
    host,
    ports: await freePorts(host),
    secrets: loadSecrets(stateDir),
    sandboxDataDir: join(stateDir, 'sandbox'),
    settings: { DATABASE_URL: shared.databaseUrl, TEMPORAL_ADDRESS: address },
  });
  const config = loadConfig(env, names);
  const operator = await Connection.connect({ address });
  await makeNamespace(operator, namespace);
  await eventually(() =>
    setupTemporal({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }).then(
      () => true,
      () => false,
    ),
  );

  const ids: string[] = [];
  const native = await NativeConnection.connect({ address });
  const unserved = { patienceMs: 20_000 };
  class ImpatientClient extends Client {
    override withDeadline<T>(deadline: number | Date, work: () => Promise<T>): Promise<T> {
      return super.withDeadline(Math.min(Number(deadline), Date.now() + unserved.patienceMs), work);
    }
  }
  const client = new ImpatientClient({
    connection: native,
    namespace,
    dataConverter: encryptedDataConverter(config.TEMPORAL_CODEC_KEYS),
    interceptors: {
      workflow: [
        {
          startWithDetails: async (input, next) => {
            const { workflowId } = input.options;
            try {
              return await next(input);
            } finally {
              ids.push(workflowId);
            }
          },
        },
      ],
    },
  });

  const pools: Sql[] = [];
  const apis: RunningApi[] = [];
  for (const name of names) {
    const sql = createSql(config.databaseUrl(name), { applicationName: 'test', max: 4 });
    pools.push(sql);
    const logger = createLogger({ level: 'silent' });
    apis.push(await startApi(name, { config, logger, temporal: client, sql }));
  }
  const sql = createSql(shared.databaseUrl, { applicationName: 'test', max: 2 });
  const own = Object.fromEntries(names.map((name) => [name, `http://${host}:${config.ports[name]}`]));
  const terminate = async (workflowId: string) => {
    await client.workflow.getHandle(workflowId).terminate();
  };

  return Object.assign(unserved, {
    dev: { ...shared, services: { ...shared.services, ...own } },
    sql,
    client,
    begun: (already: number) => eventually(async () => (ids.length > already ? ids.at(-1) : undefined)),
    count: () => ids.length,
    terminate,
    cancel: (workflowId: string) => cancelled(operator, client, workflowId),
    stop: async () => {
      await Promise.all(apis.map((api) => api.close()));
      await Promise.all([...pools, sql].map((pool) => pool.end()));
      await Promise.all([native.close(), operator.close()]);
    },
  });
}

async function makeNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  await workflowService
    .registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds: 86_400 as never } })
    .catch((error: unknown) => {
      if ((error as { code?: number }).code !== 6) throw error; // it is there already
    });
}

/** Asks for a run's cancellation and takes it in the place of its worker. */
async function cancelled({ workflowService }: Connection, client: Client, workflowId: string): Promise<void> {
  const { namespace } = client.options;
  const handle = client.workflow.getHandle(workflowId);
  await handle.cancel();
  const { taskQueue } = await handle.describe();
  const { COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION: commandType } = temporal.api.enums.v1.CommandType;
  await eventually(async () => {
    const identity = 'test';
    const task = await workflowService.pollWorkflowTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      identity,
    });
    if (task.workflowExecution?.workflowId !== workflowId) return false;
    await workflowService.respondWorkflowTaskCompleted({
      namespace,
      identity,
      taskToken: task.taskToken,
      commands: [{ commandType, cancelWorkflowExecutionCommandAttributes: {} }],
    });
    return true;
  });
}
