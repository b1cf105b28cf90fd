import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { refillTaskId } from '../domain/orchestrator/refills.js';
import { planWorkflowId } from '../workflows/ids.js';
import { recheckSignal } from '../workflows/messages.js';
import { rxTask } from '../workflows/search-attributes.js';
import { type Run, signal, startOrJoin } from './runs.js';

export interface FollowablePlan {
  id: string;
  treatment: string;
  fill: number;
  phase: number;
}

/** How long a signal may take, and how long the run of the fill before is given to end. */
const withinMs = 5_000;
const pauseMs = 100;

/** A run for each fill: its summary cannot change (D128). */
const following = ({ id: planId, treatment, fill, phase }: FollowablePlan): Run<'followPlan'> => ({
  workflow: 'followPlan',
  id: planWorkflowId(planId),
  queue: 'orchestrator',
  args: [{ planId, fill, phase }],
  attributes: [{ key: rxTask, value: refillTaskId(planId) }],
  purpose: `${fill}:${phase}`,
  summary: `Plan ${treatment}, phase ${phase}`,
  details: `Shows what the plan waits for before fill ${fill}. Changes nothing.`,
});

/** Signals the run of a plan that the plan has changed. @returns whether there is one */
export const recheckPlan = (temporal: Client, planId: string): Promise<boolean> =>
  signal(temporal, planWorkflowId(planId), { message: recheckSignal, args: [], withinMs });

/**
 * Shows an open plan in its run: starts that of the next fill, or signals it.
 * @throws while the run of the fill before has not ended
 */
export async function followPlan(temporal: Client, plan: FollowablePlan): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    let started = 0;
    const onStart = () => void (started += 1);
    const outcome = await startOrJoin(temporal, { ...following(plan), onStart }, 0);
    if (started > 0) return;
    await recheckPlan(temporal, plan.id);
    if (outcome.state !== 'conflict') return;
    if (Date.now() > deadline) throw new Error('The run of the fill before has not ended');
    await sleep(pauseMs);
  }
}

/** Ids of the plans with an open run, by Temporal's list, which may be some seconds old. */
export async function listFollowedPlans(temporal: Client): Promise<Set<string>> {
  const found = new Set<string>();
  const query = "WorkflowType = 'followPlan' and ExecutionStatus = 'Running'";
  for await (const { workflowId } of temporal.workflow.list({ query, pageSize: 1_000 }))
    found.add(workflowId.slice(planWorkflowId('').length));
  return found;
}

/** How many plans have an open run. */
export const countFollowedPlans = async (temporal: Client): Promise<number> =>
  (await temporal.workflow.count("WorkflowType = 'followPlan' and ExecutionStatus = 'Running'")).count;
