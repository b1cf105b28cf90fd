import { ownTaskId } from '../domain/clients.js';
import type { Client } from '@temporalio/client';
import type { HandedInCard } from '../domain/orchestrator/dunning.js';
import { idPart } from '../platform/crypto/ids.js';
import { giveBackWorkflowId, paymentRecoveryWorkflowId, retryChargeWorkflowId } from '../workflows/ids.js';
import { payUpdate } from '../workflows/messages.js';
import { taskQueues } from '../workflows/queues.js';
import { rxTask } from '../workflows/search-attributes.js';
import { sweeps } from './priorities.js';
import { type Run, signalRecheck, startOrJoin, updateWithStart } from './runs.js';
import { ensureDailySchedule } from './schedules.js';

interface Unpaid {
  reference: string;
  taskId: string;
}

const recovering = ({ reference, taskId }: Unpaid): Run<'recoverPayment'> => ({
  workflow: 'recoverPayment',
  id: paymentRecoveryWorkflowId(idPart(reference)),
  queue: 'orchestrator',
  args: [reference],
  attributes: [{ key: rxTask, value: ownTaskId(taskId) }],
  summary: `Dunning of ${ownTaskId(reference)}`,
  details: 'Retries the charge, reminds the patient, and opens a work item in the end. Never charges twice.',
});

/** Signals the dunning run of a charge to check it, and starts it if there is none (D107). */
export const recheckDunning = (temporal: Client, unpaid: Unpaid) =>
  signalRecheck(temporal, recovering(unpaid));

/** Pays the debt with the given card or the saved one. */
export const payNow = (temporal: Client, unpaid: Unpaid, card: HandedInCard, withinMs: number) =>
  updateWithStart(temporal, recovering(unpaid), { update: payUpdate, args: [card], withinMs });

/** Retries a failed charge (D85). Concurrent operators share one attempt. @param n of the next attempt */
export const chargeAgain = (
  temporal: Client,
  { taskId, n, charge }: { taskId: string; n: number; charge: Run<'retryCharge'>['args'][0] },
  withinMs: number,
) =>
  startOrJoin(
    temporal,
    {
      workflow: 'retryCharge',
      id: retryChargeWorkflowId(idPart(charge.taskId), n),
      queue: 'orchestrator',
      args: [charge],
      attributes: [{ key: rxTask, value: ownTaskId(taskId) }],
      summary: `Charge task ${ownTaskId(charge.taskId)} again`,
    },
    withinMs,
  );

/** Refunds a charge outside its cancellation: after a rejected refund (D109), or a late success (D153). */
export const giveBackAgain = (
  temporal: Client,
  { taskId, reference, onStart }: { taskId: string; reference: string; onStart?: () => void },
  withinMs: number,
) =>
  startOrJoin(
    temporal,
    {
      workflow: 'giveBack',
      id: giveBackWorkflowId(idPart(reference)),
      queue: 'orchestrator',
      args: [reference],
      attributes: [{ key: rxTask, value: ownTaskId(taskId) }],
      summary: `Refund ${ownTaskId(reference)}`,
      onStart,
    },
    withinMs,
  );

/** The daily sweep over cancelled tasks that are not fully refunded (D153): 05:00 in the business's time zone. */
export const ensureDailyRefunds = (temporal: Client, timeZone: string) =>
  ensureDailySchedule(temporal, {
    scheduleId: 'unrefunded',
    workflow: 'refundCancelled',
    workflowId: 'unrefunded',
    taskQueue: taskQueues.orchestrator,
    hour: 5,
    timeZone,
    summary: 'Refund cancelled tasks',
    priority: sweeps,
  });
