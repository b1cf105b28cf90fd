import { fileURLToPath } from 'node:url';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { encryptedDataConverter } from '../../../platform/temporal/codec.js';
import { type AsyncSteps, inOrder } from './in-order.js';
import { setting } from './settings.js';
import type { Request, Steps } from './steps.js';
import type { idealApproval } from './workflow.js';

interface Way {
  approve: (request: Request) => Promise<object>;
  stop: () => Promise<void>;
}

/** Temporal with the SDK's defaults and our encryption: one run of seven activities. */
export async function temporal(steps: Steps): Promise<Way> {
  const [id = '', key = ''] = setting('ORCHESTRATOR_CODEC_KEYS').split(',')[0]?.split(':') ?? [];
  const keys = { own: [{ id, key: Buffer.from(key, 'base64') }] };
  const [address, namespace] = [setting('TEMPORAL_ADDRESS'), setting('TEMPORAL_NAMESPACE')];
  const taskQueue = 'bench-ideal';
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address }),
    namespace,
    taskQueue,
    dataConverter: encryptedDataConverter(keys, 'worker'),
    workflowsPath: fileURLToPath(new URL('workflow.ts', import.meta.url)),
    activities: steps,
  });
  const running = worker.run();
  const client = new Client({
    connection: await Connection.connect({ address }),
    namespace,
    dataConverter: encryptedDataConverter(keys, 'client'),
  });
  return {
    approve: (request) =>
      client.workflow.execute<typeof idealApproval>('idealApproval', {
        workflowId: `ideal:${request.taskId}`,
        taskQueue,
        args: [request],
      }),
    stop: async () => {
      worker.shutdown();
      await running;
    },
  };
}

/** DBOS: each step is a checkpoint in Postgres, without encryption. */
export async function dbos(steps: Steps): Promise<Way> {
  const checkpointed = Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [
      name,
      (...args: never[]) =>
        DBOS.runStep(() => (step as (...args: never[]) => Promise<unknown>)(...args), {
          name,
          retriesAllowed: true,
        }),
    ]),
  ) as unknown as AsyncSteps;
  const workflow = DBOS.registerWorkflow((request: Request) => inOrder(checkpointed, request), {
    name: 'idealApproval',
  });
  DBOS.setConfig({
    name: 'ideal',
    systemDatabaseUrl: setting('IDEAL_SYSTEM_DATABASE_URL'),
    logLevel: 'error',
  });
  await DBOS.launch();
  return {
    approve: async (request) => {
      const handle = await DBOS.startWorkflow(workflow, { workflowID: `ideal:${request.taskId}` })(request);
      return handle.getResult();
    },
    stop: () => DBOS.shutdown(),
  };
}

/** No process resumes this work after a kill. */
export const plain = (steps: Steps): Promise<Way> =>
  Promise.resolve({ approve: (request) => inOrder(steps, request), stop: () => Promise.resolve() });
