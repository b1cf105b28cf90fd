import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { createSql, type Sql } from '../../db/client.js';
import { defaultStateDir, type DevJson } from '../../dev/dev-json.js';
import { inheritedEnvironment, productEnvironment } from '../../dev/start/environment.js';
import { freePorts } from '../../dev/start/ports.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import { loadConfig } from '../../platform/config.js';
import type { ServiceName } from '../../platform/service-names.js';
import { temporal } from '../../platform/temporal/proto.js';
import { setupTemporal } from '../../platform/temporal/setup.js';
import { eventually } from '../helpers/client.js';
import { openImpatientClient, unservedKeys } from './impatient-client.js';

/** Where no worker serves a queue, so that runs stay as they began; on the data of the shared system. */
export interface Unserved {
  /** The shared system, with these services in place of its own. */
  dev: DevJson;
  sql: Sql;
  client: Client;
  /** Bounds every wait for a run: lateness without waiting for it. */
  bePatient: (ms: number) => Promise<void>;
  /** How many runs were begun or joined. */
  count: () => number;
  /** The workflow id of the run that came after so many. */
  begun: (already: number) => Promise<string>;
  terminate: (workflowId: string) => Promise<void>;
  /** Cancels a run, in the place of its worker. */
  cancel: (workflowId: string) => Promise<void>;
  stop: () => Promise<void>;
}

export async function openUnserved(
  shared: DevJson,
  namespace: string,
  names: readonly ServiceName[] = [],
): Promise<Unserved> {
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'OFF' } } });
  const { address } = shared.temporal;
  const operator = await Connection.connect({ address });
  await makeNamespace(operator, namespace);
  const settings = {
    DATABASE_URL: shared.databaseUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    EMR_BASE_URL: shared.emr.baseUrl,
    EMR_TOKEN: shared.emr.token,
  };
  await eventually(() =>
    setupTemporal(settings).then(
      () => true,
      () => false,
    ),
  );

  const host = '127.0.0.1';
  const stateDir = defaultStateDir();
  const env = productEnvironment({
    host,
    ports: await freePorts(host),
    secrets: loadSecrets(stateDir),
    sandboxDataDir: join(stateDir, 'sandbox'),
    settings,
  });
  const config = loadConfig(env, names);
  const ids: string[] = [];
  const impatient = await openImpatientClient({ address, namespace }, unservedKeys, (id) => ids.push(id));
  const { client } = impatient;
  const apis = names.length > 0 ? await startApis(names, env, (id) => ids.push(id)) : undefined;
  const sql = createSql(shared.databaseUrl, { applicationName: 'test', max: 2 });
  const own = names.map((name) => [name, `http://${host}:${config.ports[name]}`] as const);

  return {
    dev: { ...shared, services: { ...shared.services, ...(Object.fromEntries(own) as object) } },
    sql,
    client,
    bePatient: async (ms) => {
      impatient.patienceMs = ms;
      await apis?.bePatient(ms);
    },
    count: () => ids.length,
    begun: (already) => eventually(async () => ids[already]),
    terminate: async (workflowId) => {
      await client.workflow.getHandle(workflowId).terminate();
    },
    cancel: (workflowId) => cancelled(operator, client, workflowId),
    stop: async () => {
      await apis?.stop();
      await sql.end();
      await Promise.all([impatient.close(), operator.close()]);
    },
  };
}

async function startApis(
  names: readonly ServiceName[],
  env: Record<string, string>,
  begun: (workflowId: string) => void,
) {
  const child = fork('tests/starts/unserved-apis.ts', names, {
    execArgv: ['--import', 'tsx'],
    env: { ...inheritedEnvironment(), ...env },
  });
  child.on('message', (message: { begun?: string }) => {
    if (message.begun !== undefined) begun(message.begun);
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The APIs ended; their log is above.');
  });
  const told = (what: 'ready' | 'patienceMs') =>
    new Promise<void>((resolve) => {
      child.on('message', (message: object) => what in message && resolve());
    });
  await Promise.race([told('ready'), ended]);
  return {
    bePatient: async (ms: number) => {
      const heard = told('patienceMs');
      child.send(ms);
      await heard;
    },
    stop: async () => {
      child.disconnect();
      await ended.catch(() => undefined);
    },
  };
}

async function makeNamespace({ workflowService }: Connection, namespace: string): Promise<void> {
  await workflowService
    .registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds: 86_400 as never } })
    .catch((error: unknown) => {
      if ((error as { code?: number }).code !== 6) throw error; // it is there already
    });
}

/** As long as a worker's poll. */
const pollMs = 70_000;

/** Asks for a run's cancellation and takes it in the place of its worker. */
async function cancelled(operator: Connection, client: Client, workflowId: string): Promise<void> {
  const { workflowService } = operator;
  const { namespace } = client.options;
  const handle = client.workflow.getHandle(workflowId);
  await handle.cancel();
  const { taskQueue } = await handle.describe();
  const { COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION: commandType } = temporal.api.enums.v1.CommandType;
  await eventually(async () => {
    const identity = 'test';
    const task = await operator.withDeadline(Date.now() + pollMs, () =>
      workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue }, identity }),
    );
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
