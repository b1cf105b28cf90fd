import { setTimeout as pause } from 'node:timers/promises';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { type InjectedSinks, type NativeConnection, Worker, type WorkflowBundle } from '@temporalio/worker';
import { taskQueues } from '../../workflows/queues.js';
import type { ReplayCase } from './cases.js';
import { Stage } from './play.js';
import { start } from './start.js';
import { historyJson, type HistoryJson } from '../../platform/temporal/history.js';
import type { RecordedRun } from '../../cli/rehearse/digest.js';
import type { CommandSinks } from '../../cli/rehearse/watch-commands.js';

const ownQueue = 'replay';
/** A longer case will not end: code that fails on its first task is retried forever. */
const caseWithinMs = 60_000;

export interface Server {
  client: Client;
  native: NativeConnection;
  workflowBundle: WorkflowBundle;
  dataConverter?: DataConverter;
}

/** Runs a case to its end, or to where it is to stay open, and gives its history. One at a time. */
export type RunCase = (workflowId: string, replayCase: ReplayCase) => Promise<RecordedRun>;

/** Serves cases with workers that play whatever activities the present case has. */
export async function withWorkers<T>(server: Server, work: (run: RunCase) => Promise<T>): Promise<T> {
  const { native, workflowBundle, dataConverter } = server;
  const stage = new Stage();
  // The product's queues too: a workflow may send an activity or a child to another service's.
  const workers = await Promise.all(
    [ownQueue, ...Object.values(taskQueues)].map((taskQueue) =>
      Worker.create({
        connection: native,
        taskQueue,
        activities: { default: stage.play },
        workflowBundle,
        sinks: unwatched,
        ...(dataConverter ? { dataConverter } : {}),
      }),
    ),
  );
  const running = workers.map((worker) => worker.run());
  try {
    return await work((workflowId, replayCase) => runCase(server.client, stage, workflowId, replayCase));
  } finally {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  }
}

async function runCase(
  client: Client,
  stage: Stage,
  workflowId: string,
  replayCase: ReplayCase,
): Promise<RecordedRun> {
  const [workflowType = ''] = workflowId.split('/');
  const { openAt } = replayCase;
  const [reached, over] = [new Gate(), new Gate()];
  stage.put({ activities: recordable(replayCase, reached, over) });
  const { handle, runId } = await start(
    client,
    workflowType,
    { workflowId, taskQueue: ownQueue },
    replayCase,
  );
  const ended = handle.result().then(
    () => undefined,
    () => undefined, // a failed run is a case like any other
  );
  try {
    await Promise.race([
      openAt === undefined ? ended : reached.opened,
      pause(caseWithinMs, undefined, { ref: false }).then(() => {
        throw new Error(`${workflowId} has not come to its end within ${caseWithinMs} ms`);
      }),
    ]);
    const history = historyJson(await client.workflow.getHandle(workflowId, runId).fetchHistory());
    for (const child of childrenOf(history)) await end(client.workflow.getHandle(child));
    return { workflowId, history };
  } finally {
    if (openAt !== undefined) await end(handle);
    over.open();
  }
}

class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

/** The activities of a case, of which one may tell that it is reached and wait; failures name no folder. */
function recordable({ activities, openAt }: ReplayCase, reached: Gate, over: Gate): object {
  const all = Object.entries(activities as Record<string, (input: unknown) => Promise<unknown>>);
  return Object.fromEntries(
    all.map(([name, activity]) => [
      name,
      async (input: unknown) => {
        if (name === openAt) {
          reached.open();
          await over.opened;
        }
        try {
          return await activity(input);
        } catch (error) {
          // It names folders of the machine that records.
          if (error instanceof Error) error.stack = '';
          throw error;
        }
      },
    ]),
  );
}

/** Decisions are looked at later, in a replay. */
const unwatched: InjectedSinks<CommandSinks> = { commands: { decided: { fn: () => undefined } } };

const childrenOf = ({ events }: HistoryJson): string[] =>
  events.flatMap(({ startChildWorkflowExecutionInitiatedEventAttributes: child }) =>
    child === undefined ? [] : (child as { workflowId: string }).workflowId,
  );

/** Runs that a case leaves open. */
async function end(handle: WorkflowHandle): Promise<void> {
  await handle.terminate('recorded').catch(() => undefined); // it may have ended by itself
}
