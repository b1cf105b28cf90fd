import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import Fastify from 'fastify';
import { bareActivities } from './activities.js';
import type { bare } from './workflow.js';

/**
 * Runs R in its own process: an HTTP endpoint that starts the workflow and awaits it, and its worker, with defaults
 * of the SDK.
 */
const [address, stubUrl] = process.argv.slice(2) as [string, string];
/** Unique per process, because several may run concurrently. */
const taskQueue = `bench-bare:${process.pid}`;
Runtime.install({ logger: new DefaultLogger('ERROR') });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  taskQueue,
  workflowsPath: fileURLToPath(new URL('workflow.ts', import.meta.url)),
  activities: bareActivities(stubUrl),
});
const running = worker.run();

const client = new Client({ connection: await Connection.connect({ address }) });
const app = Fastify();
let runs = 0;
app.post('/run', async () => {
  runs += 1;
  return client.workflow.execute<typeof bare>('bare', {
    workflowId: `bare:${process.pid}:${runs}`,
    taskQueue,
  });
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ url });

process.once('disconnect', () => {
  worker.shutdown();
  void Promise.all([running, app.close()]).finally(() => process.exit(0));
});
