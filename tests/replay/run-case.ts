import { setTimeout as pause } from 'node:timers/promises';
import { Client, type WorkflowHandle } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { type NativeConnection, Worker, type WorkflowBundle } from '@temporalio/worker';
import { taskQueues } from '../../workflows/queues.js';
import type { ReplayCase } from './cases.js';
import type { StoredHistory } from './stored.js';

const identity = 'replay:record';
const ownQueue = 'replay';
/** What takes longer will not end: code that fails on its first task is tried for ever. */
const caseWithinMs = 60_000;

export interface Server {
  client: Client;
  native: NativeConnection;
  workflowBundle: WorkflowBundle;
  dataConverter?: DataConverter;
}

/** Runs one case to its end, or to where it is to stay open, and gives its history. */
export async function runCase(server: Server, workflowId: string, replayCase: ReplayCase): Promise<StoredHistory> {
  const [workflowType = ''] = workflowId.split('/');
  const { client, native, workflowBundle, dataConverter } = server;
  const reached = new Gate();
  const over = new Gate();
  const activities = asRecorded(replayCase, reached, over);
  // The product's queues too: a workflow may send an activity or a child to another service's.
  const workers = await Promise.all(
    [ownQueue, ...Object.values(taskQueues)].map((taskQueue) =>
      Worker.create({
        connection: native,
        taskQueue,
        identity,
        activities,
        workflowBundle,
        ...(dataConverter ? { dataConverter } : {}),
      }),
    ),
  );
  const running = workers.map((worker) => worker.run());
  try {
    const handle = await client.workflow.start(workflowType, {
      workflowId,
      taskQueue: ownQueue,
      args: replayCase.args,
    });
    const ended = handle.result().then(
      () => undefined,
      () => undefined, // a failed run is a case like any other
    );
    await Promise.race([
      replayCase.openAt === undefined ? ended : reached.opened,
      pause(caseWithinMs, undefined, { ref: false }).then(() => {
        throw new Error(`${workflowId} has not come to its end within ${caseWithinMs} ms`);
      }),
    ]);
    const run = client.workflow.getHandle(workflowId, handle.firstExecutionRunId);
    const history = await run.fetchHistory();
    if (replayCase.openAt !== undefined) await end(handle);
    for (const child of childrenOf(history)) await end(client.workflow.getHandle(child));
    await ended;
    return { workflowId, history };
  } finally {
    over.open();
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  }
}

class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

/** The case's activities: without stack traces, which would name folders of this machine, and held open where asked. */
function asRecorded({ activities, openAt }: ReplayCase, reached: Gate, over: Gate): object {
  return Object.fromEntries(
    Object.entries(activities as Record<string, (input: unknown) => Promise<unknown>>).map(([name, activity]) => [
      name,
      async (input: unknown) => {
        if (name === openAt) {
          reached.open();
          await over.opened;
        }
        try {
          return await activity(input);
        } catch (error) {
          if (error instanceof Error) error.stack = '';
          throw error;
        }
      },
    ]),
  );
}

const childrenOf = ({ events }: StoredHistory['history']): string[] =>
  (events ?? []).flatMap(
    ({ startChildWorkflowExecutionInitiatedEventAttributes: child }) => child?.workflowId ?? [],
  );

/** What a case leaves open. */
async function end(handle: WorkflowHandle): Promise<void> {
  await handle.terminate('recorded').catch(() => undefined); // it may have ended by itself
}
