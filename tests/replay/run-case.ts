import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo } from '@temporalio/activity';
import { type Client, WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { type InjectedSinks, type NativeConnection, Worker, type WorkflowBundle } from '@temporalio/worker';
import { taskQueues } from '../../workflows/queues.js';
import type { ReplayCase } from './cases.js';
import type { StoredHistory } from './stored.js';
import type { CommandSinks } from './watch-commands.js';

const ownQueue = 'replay';
/** What takes longer will not end: code that fails on its first task is tried for ever. */
const caseWithinMs = 60_000;

export interface Server {
  client: Client;
  native: NativeConnection;
  workflowBundle: WorkflowBundle;
  dataConverter?: DataConverter;
}

/** Runs a case to its end, or to where it is to stay open, and gives its history. One at a time. */
export type RunCase = (workflowId: string, replayCase: ReplayCase) => Promise<StoredHistory>;

/** Serves cases with workers that play whatever activities the present case has. */
export async function withWorkers<T>(server: Server, work: (run: RunCase) => Promise<T>): Promise<T> {
  const { native, workflowBundle, dataConverter } = server;
  let present: Present | undefined;
  const play = async (input: unknown): Promise<unknown> => present?.play(activityInfo().activityType, input);
  // The product's queues too: a workflow may send an activity or a child to another service's.
  const workers = await Promise.all(
    [ownQueue, ...Object.values(taskQueues)].map((taskQueue) =>
      Worker.create({
        connection: native,
        taskQueue,
        activities: { default: play },
        workflowBundle,
        sinks: unwatched,
        ...(dataConverter ? { dataConverter } : {}),
      }),
    ),
  );
  const running = workers.map((worker) => worker.run());
  try {
    return await work((workflowId, replayCase) =>
      runCase(server.client, workflowId, (present = new Present(replayCase))),
    );
  } finally {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  }
}

async function runCase(client: Client, workflowId: string, present: Present): Promise<StoredHistory> {
  const { openAt } = present.replayCase;
  const { handle, runId } = await start(client, workflowId, present.replayCase);
  const ended = handle.result().then(
    () => undefined,
    () => undefined, // a failed run is a case like any other
  );
  try {
    await Promise.race([
      openAt === undefined ? ended : present.reached.opened,
      pause(caseWithinMs, undefined, { ref: false }).then(() => {
        throw new Error(`${workflowId} has not come to its end within ${caseWithinMs} ms`);
      }),
    ]);
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const child of childrenOf(history)) await end(client.workflow.getHandle(child));
    return { workflowId, history };
  } finally {
    if (openAt !== undefined) await end(handle);
    present.over.open();
  }
}

async function start(client: Client, workflowId: string, { args, startedBy }: ReplayCase) {
  const [workflowType = ''] = workflowId.split('/');
  const options = { workflowId, taskQueue: ownQueue, args };
  if (startedBy === undefined) {
    const handle = await client.workflow.start(workflowType, options);
    return { handle, runId: handle.firstExecutionRunId };
  }
  if ('update' in startedBy) {
    const startWorkflowOperation = new WithStartWorkflowOperation(workflowType, {
      ...options,
      workflowIdConflictPolicy: 'FAIL',
    });
    await client.workflow.startUpdateWithStart(startedBy.update, {
      args: startedBy.args,
      waitForStage: 'ACCEPTED',
      startWorkflowOperation,
    });
    const handle = await startWorkflowOperation.workflowHandle();
    const { runId } = await handle.describe();
    return { handle, runId };
  }
  const { signal, args: signalArgs } = startedBy;
  const handle = await client.workflow.signalWithStart(workflowType, { ...options, signal, signalArgs });
  return { handle, runId: handle.signaledRunId };
}

class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

/** The case that runs, and where it has got to. */
class Present {
  readonly reached = new Gate();
  readonly over = new Gate();
  constructor(readonly replayCase: ReplayCase) {}

  async play(name: string, input: unknown): Promise<unknown> {
    const activities = this.replayCase.activities as Record<string, (input: unknown) => Promise<unknown>>;
    const activity = activities[name];
    if (!activity) throw new Error(`The case has no activity ${name}`);
    if (name === this.replayCase.openAt) {
      this.reached.open();
      await this.over.opened;
    }
    try {
      return await activity(input);
    } catch (error) {
      // It names folders of the machine that records.
      if (error instanceof Error) error.stack = '';
      throw error;
    }
  }
}

/** Decisions are looked at later, in a replay. */
const unwatched: InjectedSinks<CommandSinks> = { commands: { decided: { fn: () => undefined } } };

const childrenOf = ({ events }: StoredHistory['history']): string[] =>
  (events ?? []).flatMap(
    ({ startChildWorkflowExecutionInitiatedEventAttributes: child }) => child?.workflowId ?? [],
  );

/** What a case leaves open. */
async function end(handle: WorkflowHandle): Promise<void> {
  await handle.terminate('recorded').catch(() => undefined); // it may have ended by itself
}
