import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promiseHooks } from 'node:v8';
import {
  Client,
  WithStartWorkflowOperation,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { searchAttributeTypes } from '../../domain/search-attributes.js';
import { temporal } from '../../platform/temporal/proto.js';
import { start } from '../replay/start.js';
import { watchClock } from './watched-clock.js';
import { freePort } from './free-port.js';

/** For what never comes: a busy machine takes ten times what an idle one does. */
const startWithinMs = 180_000;

/**
 * The SDK takes down where every promise of the process was made, for a query that no test asks: a third of what runs in
 * the test's own thread takes.
 */
export function leavePromisesAlone(): void {
  promiseHooks.createHook = () => () => undefined;
}

/** An update and the run that it starts unless one with this id is open. */
interface UpdateWithStart {
  workflowType: string;
  workflowId: string;
  taskQueue: string;
  args: unknown[];
  update: string;
  updateId?: string;
  updateArgs: unknown[];
}

/** A server of its own per test file: its clock is one for all its clients. */
export interface TimeSkipping {
  env: TestWorkflowEnvironment;
  /** Runs `fn` while a worker with these activities serves the task queue. */
  withWorker: <T>(taskQueue: string, activities: object, fn: () => Promise<T>) => Promise<T>;
  start: typeof start;
  updateWithStart: <T>(to: UpdateWithStart) => Promise<T>;
  /** A client whose waits for a result do not skip time. */
  clientInRealTime: Client;
  /** Waits until a run closes. */
  outcomeOf: (handle: WorkflowHandle) => Promise<{ result?: unknown; failure?: Error | undefined }>;
  stop: () => Promise<void>;
}

/**
 * Started by ourselves, because the SDK gives it five seconds, which a busy machine exceeds; and opened by the
 * factory behind the public one, which would not skip time on a server it has not started.
 */
export async function startTimeSkipping(): Promise<TimeSkipping> {
  // Jest gives each file a module of its own. In plain Node, as for the recorder, workflows' AsyncLocalStorage needs the hook.
  if (process.env['JEST_WORKER_ID'] !== undefined) leavePromisesAlone();
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'OFF' } } });
  const port = await freePort();
  const server = spawn(setting('SCRIPTRAIL_TEST_SERVER'), [String(port)], { stdio: 'ignore' });
  await listening(port, server);
  const open = TestWorkflowEnvironment as unknown as {
    create: (options: object) => Promise<TestWorkflowEnvironment>;
  };
  const env = await open.create({
    server: { type: 'existing' },
    supportsTimeSkipping: true,
    address: `127.0.0.1:${port}`,
    namespace: 'default',
  });
  await registerSearchAttributes(env);
  const workers = new Set<Worker>();
  watchClock(env, workers);

  return {
    env,
    start,
    updateWithStart: (to) => updateWithStart(env.client, to),
    clientInRealTime: new Client({ connection: env.connection }),
    outcomeOf: async (handle) => {
      try {
        return { result: await handle.result() };
      } catch (error) {
        if (error instanceof WorkflowFailedError) return { failure: error.cause };
        throw error;
      }
    },
    withWorker: async (taskQueue, activities, fn) => {
      const worker = await Worker.create({
        connection: env.nativeConnection,
        taskQueue,
        activities,
        workflowBundle: { codePath: setting('SCRIPTRAIL_TEST_BUNDLE') },
        // Workflows run in this thread: to start another for each worker takes longer than most tests.
        debugMode: true,
      });
      workers.add(worker);
      return worker.runUntil(fn).finally(() => workers.delete(worker));
    },
    stop: async () => {
      await env.teardown();
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    },
  };
}

/** Test files call this because their copy of the SDK is another one: the client accepts only its own start operations. */
function updateWithStart<T>({ workflow }: Client, to: UpdateWithStart): Promise<T> {
  const { workflowType, workflowId, taskQueue, args, update, updateId, updateArgs } = to;
  return workflow.executeUpdateWithStart<() => Promise<unknown>, T, unknown[]>(update, {
    args: updateArgs,
    ...(updateId !== undefined && { updateId }),
    startWorkflowOperation: new WithStartWorkflowOperation(workflowType, {
      workflowId,
      taskQueue,
      args,
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });
}

async function registerSearchAttributes(env: TestWorkflowEnvironment): Promise<void> {
  const { IndexedValueType } = temporal.api.enums.v1;
  const types = {
    KEYWORD: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
    KEYWORD_LIST: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
    DATETIME: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
  };
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(
      Object.entries(searchAttributeTypes).map(([name, type]) => [name, types[type]]),
    ),
  });
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is set by the set-up of the tests`);
  return value;
}

async function listening(port: number, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + startWithinMs;
  while (Date.now() < deadline && server.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await sleep(50);
  }
  throw new Error('The time-skipping server did not start');
}
