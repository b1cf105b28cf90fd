import { z } from 'zod';
import { type OutboundResponse, parseAnswer } from '../../platform/http/outbound.js';
import { type SignedCall, signedCall, type SignedParty } from '../../platform/http/signed-call.js';
import { address } from './contexts.js';

const payment = z
  .object({
    status: z.enum(['pending', 'succeeded', 'failed']),
    amountCents: z.int(),
    currency: z.string(),
    refundedCents: z.int(),
    leftCents: z.int().describe('Can be refunded'),
  })
  .meta({ id: 'DeskPayment' });

const refills = z
  .object({
    id: z.string(),
    medication: z.string(),
    dosage: z.string().nullable(),
    quantity: z.number().nullable(),
    daysSupply: z.int(),
    status: z.enum(['active', 'paused', 'cancelled', 'completed']),
    pausedReason: z.string().nullable(),
    totalRefillsAllowed: z.int(),
    refillsSent: z.int(),
    lastFillDate: z.string(),
    nextFillDate: z.string(),
    earliestFillDate: z.string().describe('The next refill can be moved to this day at the earliest'),
    skipped: z.int(),
    shipTo: address.extend({ fillsLeft: z.int() }).nullable(),
  })
  .meta({ id: 'DeskRefills' });

const plan = z
  .object({
    id: z.string(),
    treatment: z.string(),
    state: z.enum(['active', 'waiting', 'paused', 'completed', 'stopped']),
    phase: z.int(),
    fill: z.int().nullable(),
    fillsSent: z.int(),
    nextFillDate: z.string(),
    prescribedUntil: z.string(),
    waitingFor: z.array(
      z.object({
        what: z.string(),
        because: z.string(),
        fill: z.int(),
        since: z.string(),
        dueAt: z.string(),
      }),
    ),
  })
  .meta({ id: 'DeskPlan' });

const replacement = z
  .object({
    n: z.int(),
    reference: z.string(),
    submissionId: z.string().nullable(),
    pharmacy: z.string(),
    reason: z.string(),
    paidBy: z.string(),
    state: z.string(),
    at: z.string(),
  })
  .meta({ id: 'DeskReplacement' });

const cancellation = z
  .object({
    state: z.enum(['pending', 'approved', 'denied']),
    reason: z.string().nullable(),
    refundedCents: z.int(),
    refillsCancelled: z.int(),
    replacementsCancelled: z.int(),
  })
  .meta({ id: 'DeskCancellation' });

/** The fields of a task that the desk shows and may change (D135). The orchestrator knows all of it. */
export const taskAtDesk = z.object({
  taskId: z.string(),
  medication: z.string().describe('The display name'),
  status: z
    .enum(['pending', 'completed', 'failed', 'denied'])
    .nullable()
    .describe("The run's; null for a schedule that has sent no refill"),
  pharmacy: z.string().nullable().describe('Its name, such as `Pharmacy A`'),
  tracking: z.object({ trackingNumber: z.string(), carrier: z.string().nullable() }).nullable(),
  payment: payment.nullable(),
  refills: refills.nullable(),
  plan: plan.nullable(),
  replacements: z.array(replacement).describe('Oldest first'),
  cancellation: cancellation.nullable(),
});

/** The orchestrator's answer to the worklist. */
export const deskOrder = z.object({
  order: taskAtDesk
    .extend({
      emrPatientId: z.string(),
      submissionId: z.string().nullable().describe("The current order's"),
      failedStep: z.string().nullable().describe('The step that failed the run'),
      heldBecause: z.string().nullable().describe('Why nothing of the order can be changed now'),
      isRejected: z.boolean().describe('No pharmacy took the order, so none exists'),
      isChargingOver: z.boolean().describe('The charge was waived, or the task cancelled'),
      isRefillUnderWay: z.boolean(),
      isRepeated: z.boolean().describe('The Idempotency-Key was used before'),
    })
    .meta({ id: 'DeskOrder' }),
});
/** A task with its order, charge and refills. */
export type DeskOrder = z.infer<typeof deskOrder>['order'];

/** A person waits for it: a slower service counts as away. */
const readTimeoutMs = 5_000;
/** Longer than the orchestrator's routes wait for an outcome. */
const actTimeoutMs = 65_000;

/** The orders of the orchestrator, as the desk reads and changes them (D135). All methods throw OutboundError. */
export const createDeskOrderClient = (settings: SignedParty) => ({
  /**
   * @param client whose task it is; undefined: the default client's
   * @returns undefined for an unknown task; `isRepeated` if a change has used the key
   */
  async read(taskId: string, client?: string, idempotencyKey?: string): Promise<DeskOrder | undefined> {
    const path = `/orchestrator/orders/${encodeURIComponent(taskId)}${ofClient(client)}`;
    const call = { method: 'GET', resource: 'order', path, timeoutMs: readTimeoutMs } as const;
    const key = idempotencyKey === undefined ? {} : { idempotencyKey };
    const response = await signedCall(settings, { ...call, ...key });
    if (response.status === 404) return undefined;
    return parseAnswer(settings.party, response, deskOrder).order;
  },

  /** Calls the route of an action. Returns every status. */
  act(
    { path, body, idempotencyKey }: Pick<SignedCall, 'path' | 'body' | 'idempotencyKey'>,
    client: string | undefined,
  ): Promise<OutboundResponse> {
    const call = { method: 'POST', resource: 'order action', timeoutMs: actTimeoutMs, body } as const;
    const key = idempotencyKey === undefined ? {} : { idempotencyKey };
    return signedCall(settings, { ...call, ...key, path: path + ofClient(client) });
  },
});

const ofClient = (client: string | undefined): string => (client === undefined ? '' : `?client=${client}`);
