import { z } from 'zod';
import { pharmacies, type Pharmacy } from '../../domain/pharmacies.js';
import type { PrescriptionSubmission } from '../../domain/router/submission.js';
import { type OutboundResponse, parseAnswer } from '../../platform/http/outbound.js';
import { callOwnService, type SignedCall, type SignedParty } from '../../platform/http/signed-call.js';

/** What a pharmacy says to taking an order back; `none`: there is no order (D101). */
export type CancelAnswer =
  | { state: 'none' }
  | { state: 'pending'; submissionId: string }
  | { state: 'approved'; submissionId: string }
  | { state: 'denied'; submissionId: string; reason: string };

/** An order as the router has it. */
interface RoutedOrder {
  submissionId: string;
  pharmacy: Pharmacy;
  pharmacyOrderId: string | null;
  status: string;
}

interface CallLimits {
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface OrderClient {
  /** Our order under a reference; undefined where the router never had one. @throws OwnOutage, OutboundError */
  findOrder: (reference: string, limits: CallLimits) => Promise<RoutedOrder | undefined>;
  /**
   * Asks to take an order back, and waits for the pharmacy a while. After a denial it is asked anew, so that what has
   * become of a request is to be read. @throws OwnOutage, OutboundError
   */
  cancel: (submissionId: string, reason: string, limits: CallLimits) => Promise<CancelAnswer>;
  /** The prescription of an order, as it was submitted and has been changed since (D100). @throws OwnOutage, OutboundError */
  readPrescription: (submissionId: string, limits: CallLimits) => Promise<PrescriptionSubmission>;
  /** Whether a pharmacy can fill the prescription of an order. @throws OwnOutage, OutboundError */
  canFill: (submissionId: string, pharmacy: Pharmacy, limits: CallLimits) => Promise<boolean>;
  /** What has become of the last request to take an order back; `none` where nobody has asked. @throws OwnOutage, OutboundError */
  readCancellation: (submissionId: string, limits: CallLimits) => Promise<CancelAnswer>;
}

const entry = z.object({
  id: z.uuid(),
  source: z.string(),
  pharmacy: z.enum(pharmacies),
  pharmacyOrderId: z.string().nullable(),
  status: z.string(),
});
const list = z.object({ prescriptions: z.array(entry) });
const submitted = z.object({
  requestPayload: z.record(z.string(), z.unknown()),
  amendments: z.array(z.object({ changes: z.record(z.string(), z.unknown()) })).default([]),
});
const filling = z.object({ fills: z.boolean() });
const cancellation = z.object({
  state: z.enum(['pending', 'approved', 'denied']),
  reason: z.string().nullable(),
});
const cancelled = z.object({ cancellation });
const mayBeCancelled = z.object({ cancellation: cancellation.nullable() });

/** What becomes of our orders at the router after they were placed. */
export function createOrderClient(settings: SignedParty): OrderClient {
  const { party } = settings;
  const asking = (call: Omit<SignedCall, 'resource'>): Promise<OutboundResponse> =>
    callOwnService(settings, { resource: 'prescription', ...call });
  return {
    async findOrder(reference, limits) {
      const query = new URLSearchParams({ sourceOrderId: reference });
      const response = await asking({
        method: 'GET',
        path: `/rx/prescriptions?${query.toString()}`,
        ...limits,
      });
      const found = parseAnswer(party, response, list).prescriptions.find(
        ({ source }) => source === 'orchestrator',
      );
      if (!found) return undefined;
      const { id: submissionId, pharmacy, pharmacyOrderId, status } = found;
      return { submissionId, pharmacy, pharmacyOrderId, status };
    },

    async cancel(submissionId, reason, limits) {
      const path = `/rx/prescriptions/${submissionId}/cancel`;
      const response = await asking({ method: 'POST', path, body: { reason }, ...limits });
      if (response.status === 409) return { state: 'none' };
      return asAnswer(submissionId, parseAnswer(party, response, cancelled).cancellation);
    },

    async readPrescription(submissionId, limits) {
      const response = await asking({ method: 'GET', path: `/rx/prescriptions/${submissionId}`, ...limits });
      const { requestPayload, amendments } = parseAnswer(party, response, submitted);
      // As we have submitted it, with what was changed on a question of the pharmacy.
      return amendments.reduce(amended, requestPayload as unknown as PrescriptionSubmission);
    },

    async canFill(submissionId, pharmacy, limits) {
      const path = `/rx/prescriptions/${submissionId}/pharmacies/${pharmacy}`;
      const response = await asking({ method: 'GET', path, ...limits });
      return parseAnswer(party, response, filling).fills;
    },

    async readCancellation(submissionId, limits) {
      const response = await asking({ method: 'GET', path: `/rx/prescriptions/${submissionId}`, ...limits });
      const { cancellation } = parseAnswer(party, response, mayBeCancelled);
      return cancellation ? asAnswer(submissionId, cancellation) : { state: 'none' };
    },
  };
}

const asAnswer = (submissionId: string, { state, reason }: z.infer<typeof cancellation>): CancelAnswer =>
  state === 'denied' ? { state, submissionId, reason: reason ?? 'other' } : { state, submissionId };

/** A prescription after an answer to a hold has changed it (D100). */
const amended = (
  prescription: PrescriptionSubmission,
  { changes: { shipTo, ...medication } }: { changes: Record<string, unknown> },
): PrescriptionSubmission => ({
  ...prescription,
  medication: { ...prescription.medication, ...medication },
  ...(shipTo === undefined ? {} : { shipTo: shipTo as PrescriptionSubmission['shipTo'] }),
});
