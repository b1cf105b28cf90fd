import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { approvalWorkflowId } from '../../workflows/ids.js';
import type { DevJson } from '../../dev/dev-json.js';
import { sandbox } from '../../dev/demo/outside.js';
import { inLanes, runOf, type Run, type Started } from './approvals.js';

/** Only the next release's approvals schedule this activity with the server. */
const newStep = 'fetchContact';
const endWithinMs = 20 * 60_000;
const pollMs = 2_000;

export interface Stage {
  what: string;
  /** Open approvals at the start of the stage. */
  inFlight: number;
  started: Started[];
}

interface StageVerdict extends Omit<Stage, 'started'> {
  started: number;
  /** Runs completed by old workers without the new step, and by new workers with it. */
  onPresent: number;
  onNext: number;
  completed: number;
  /** Runs with one order at the pharmacies and one charge at the processor. */
  orderedOnce: number;
  chargedOnce: number;
}
export interface Verdict {
  present: string;
  next: string;
  stages: StageVerdict[];
  /** All orders and charges in the sandbox's records. */
  orders: number;
  charges: number;
  isGood: boolean;
}

/**
 * Waits for the end of every run. Then it compares Temporal's worker versions, the orchestrator's results and the
 * services' records.
 */
export async function judge(of: {
  dev: DevJson;
  client: Client;
  stages: readonly Stage[];
  present: string;
  next: string;
}): Promise<Verdict> {
  const { dev, client, stages, present, next } = of;
  const giveUpAt = Date.now() + endWithinMs;
  const ends = new Map<string, Run>();
  for (const one of stages.flatMap(({ started }) => started)) {
    for (;;) {
      const run = await runOf(dev, one);
      ends.set(one.taskId, run);
      if (run.status !== 'pending' || Date.now() > giveUpAt) break;
      await pause(pollMs);
    }
  }
  const { orders } = await sandbox<{ orders: { idempotencyKey: string }[] }>(dev, '/orders');
  const { charges } = await sandbox<{ charges: { status: string; metadata: Record<string, string> }[] }>(
    dev,
    '/charges',
  );
  const paid = charges.filter(({ status }) => status === 'succeeded');
  const isOrderedOnce = ({ taskId }: Started) => {
    const { submissionId = '' } = ends.get(taskId)?.result ?? {};
    return (
      orders.filter(({ idempotencyKey }) => submissionId && idempotencyKey.startsWith(submissionId))
        .length === 1
    );
  };
  const isChargedOnce = ({ taskId }: Started) =>
    paid.filter(({ metadata }) => metadata['task_id'] === taskId).length === 1;
  const isCompleted = ({ taskId }: Started) => {
    const run = ends.get(taskId);
    return run?.status === 'completed' && run.warnings.length === 0;
  };

  const verdicts = [];
  for (const { started, ...stage } of stages) {
    const doneBy = await inLanes(started, (one) => whoDid(client, one));
    const by = (version: string, hasNewStep: boolean) =>
      doneBy.filter((run) => run.versions.every((one) => one === version) && run.hasNewStep === hasNewStep)
        .length;
    verdicts.push({
      ...stage,
      started: started.length,
      onPresent: by(present, false),
      onNext: by(next, true),
      completed: started.filter(isCompleted).length,
      orderedOnce: started.filter(isOrderedOnce).length,
      chargedOnce: started.filter(isChargedOnce).length,
    });
  }
  const all = verdicts.reduce((sum, { started }) => sum + started, 0);
  const isGood =
    orders.length === all &&
    paid.length === all &&
    verdicts.every(({ started, onPresent, onNext, completed, orderedOnce, chargedOnce }) =>
      [onPresent + onNext, completed, orderedOnce, chargedOnce].every((count) => count === started),
    );
  return { present, next, stages: verdicts, orders: orders.length, charges: paid.length, isGood };
}

/** The worker versions that completed a run's tasks, and whether the run has the new step. */
async function whoDid(client: Client, { taskId }: Started) {
  const { events } = await client.workflow.getHandle(approvalWorkflowId(taskId)).fetchHistory();
  const versions = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: task }) =>
    task ? [task.deploymentVersion?.buildId ?? 'none'] : [],
  );
  const hasNewStep = (events ?? []).some(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === newStep,
  );
  return { versions, hasNewStep };
}
