import { z } from 'zod';
import { type OutboundResponse, parseAnswer } from '../../platform/http/outbound.js';
import { type SignedCall, signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const nullableText = z.string().nullable();
const address = z.object({
  addressLine1: z.string(),
  addressLine2: nullableText,
  city: z.string(),
  state: z.string(),
  zip: z.string(),
});
const order = z.object({
  taskId: z.string(),
  emrPatientId: z.string(),
  medication: z.string(),
  status: z.enum(['pending', 'completed', 'failed', 'denied']).nullable(),
  submissionId: nullableText,
  failedStep: nullableText,
  pharmacy: nullableText,
  tracking: z.object({ trackingNumber: z.string(), carrier: nullableText }).nullable(),
  heldBecause: nullableText,
  payment: z
    .object({
      status: z.enum(['pending', 'succeeded', 'failed']),
      amountCents: z.number(),
      currency: z.string(),
      refundedCents: z.number(),
      leftCents: z.number(),
    })
    .nullable(),
  refills: z
    .object({
      id: z.string(),
      medication: z.string(),
      dosage: nullableText,
      quantity: z.number().nullable(),
      daysSupply: z.number(),
      status: z.enum(['active', 'paused', 'cancelled', 'completed']),
      pausedReason: nullableText,
      totalRefillsAllowed: z.number(),
      refillsSent: z.number(),
      lastFillDate: z.string(),
      nextFillDate: z.string(),
      earliestFillDate: z.string(),
      skipped: z.number(),
      shipTo: address.extend({ fillsLeft: z.number() }).nullable(),
    })
    .nullable(),
  isRefillUnderWay: z.boolean(),
  isRepeated: z.boolean(),
  plan: z
    .object({
      id: z.string(),
      treatment: z.string(),
      state: z.enum(['active', 'waiting', 'paused', 'completed', 'stopped']),
      phase: z.number(),
      fill: z.number().nullable(),
      fillsSent: z.number(),
      nextFillDate: z.string(),
      prescribedUntil: z.string(),
      waitingFor: z.array(
        z.object({
          what: z.string(),
          because: z.string(),
          fill: z.number(),
          since: z.string(),
          dueAt: z.string(),
        }),
      ),
    })
    .nullable(),
  replacements: z.array(
    z.object({
      n: z.number(),
      reference: z.string(),
      submissionId: nullableText,
      pharmacy: z.string(),
      reason: z.string(),
      paidBy: z.string(),
      state: z.string(),
      at: z.string(),
    }),
  ),
  cancellation: z
    .object({
      state: z.enum(['pending', 'approved', 'denied']),
      reason: nullableText,
      refundedCents: z.number(),
      refillsCancelled: z.number(),
      replacementsCancelled: z.number(),
    })
    .nullable(),
});
/** A task with its order, charge and refills. */
export type DeskOrder = z.infer<typeof order>;

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
    return parseAnswer(settings.party, response, z.object({ order })).order;
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
