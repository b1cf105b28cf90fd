import { z } from 'zod';
import { clientOfSource, keyOfOrder, ownTaskId } from '../../domain/clients.js';
import { pharmacies, type Pharmacy } from '../../domain/pharmacies.js';
import { missingOrderText, orderOutcomeHeader } from '../../domain/router/submission.js';
import type { PrescriptionSubmission } from '../../domain/router/submission.js';
import { type CallLimits, parseAnswer } from '../../platform/http/outbound.js';
import { callOwnService, type SignedCall, type SignedParty } from '../../platform/http/signed-call.js';

/** The pharmacy's answer to a cancellation; `none`: there is no order (D101). */
export type CancelAnswer =
  | { state: 'none' }
  | { state: 'pending'; submissionId: string }
  | { state: 'approved'; submissionId: string }
  | { state: 'denied'; submissionId: string; reason: string };

const entry = z.object({
  id: z.uuid(),
  source: z.string(),
  pharmacy: z.enum(pharmacies),
  pharmacyOrderId: z.string().nullable(),
  status: z.string(),
});
const list = z.object({ prescriptions: z.array(entry) });
const period = z.object({
  prescriptions: z.array(entry.extend({ sourceOrderId: z.string(), submittedAt: z.coerce.date() })),
  nextCursor: z.string().nullable(),
});
const submitted = z.object({
  requestPayload: z.record(z.string(), z.unknown()),
  amendments: z.array(z.object({ changes: z.record(z.string(), z.unknown()) })),
});
const amended = z.object({
  amendments: z.array(
    z.object({
      holdId: z.string(),
      changes: z.object({
        sig: z.string().optional(),
        quantity: z.number().optional(),
        daysSupply: z.number().optional(),
      }),
      at: z.coerce.date(),
    }),
  ),
});
const filling = z.object({ fills: z.boolean() });
const looked = z.object({ found: z.boolean().nullable() });
const failure = z.object({ status: z.string(), errorMessage: z.string().nullable() });
const cancellation = z.object({
  state: z.enum(['pending', 'approved', 'denied']),
  reason: z.string().nullable(),
});
const cancelled = z.object({ cancellation });
const mayBeCancelled = z.object({ cancellation: cancellation.nullable() });

const isOurs = ({ source }: { source: string }): boolean => clientOfSource(source) !== undefined;
const pathOf = (reference: string): string =>
  `/rx/prescriptions?${new URLSearchParams({ sourceOrderId: ownTaskId(reference) }).toString()}`;
/** Two clients may have an order of one id each (D140). */
const hasReference = (reference: string) => (order: { source: string }) =>
  isOurs(order) && keyOfOrder({ ...order, sourceOrderId: ownTaskId(reference) }) === reference;

export type OrderClient = ReturnType<typeof createOrderClient>;

/** Placed orders at the router. All methods throw OwnOutage and OutboundError. */
export function createOrderClient(settings: SignedParty) {
  const { party } = settings;
  const call = (request: Omit<SignedCall, 'resource'>) =>
    callOwnService(settings, { resource: 'prescription', ...request });

  /** True if the pharmacy lost an order that it had accepted (D138). */
  async function isMissing(submissionId: string, limits: CallLimits): Promise<boolean> {
    const response = await call({ method: 'GET', path: `/rx/prescriptions/${submissionId}`, ...limits });
    const { status, errorMessage } = parseAnswer(party, response, failure);
    return status === 'failed' && errorMessage === missingOrderText;
  }

  async function findById(submissionId: string, limits: CallLimits) {
    const response = await call({ method: 'GET', path: `/rx/prescriptions/${submissionId}`, ...limits });
    if (response.status === 404) return undefined;
    const order = parseAnswer(party, response, entry.extend(failure.shape));
    return isOurs(order) ? order : undefined;
  }

  async function listByReference(reference: string, limits: CallLimits) {
    const response = await call({ method: 'GET', path: pathOf(reference), ...limits });
    return parseAnswer(party, response, list).prescriptions.filter(hasReference(reference));
  }

  return {
    /** Our order with a reference; undefined if the router has none. */
    async findOrder(reference: string, limits: CallLimits) {
      const [found] = await listByReference(reference, limits);
      if (!found) return undefined;
      const { id: submissionId, pharmacy, pharmacyOrderId, status } = found;
      return { submissionId, pharmacy, pharmacyOrderId, status };
    },

    /** False if the pharmacy rejected, cancelled or lost the order. */
    async mayExist(submissionId: string, limits: CallLimits): Promise<boolean> {
      const response = await call({ method: 'GET', path: `/rx/prescriptions/${submissionId}`, ...limits });
      const { status } = parseAnswer(party, response, failure);
      return status !== 'cancelled' && response.headers[orderOutcomeHeader] !== 'rejected';
    },

    /** Our accepted order by its reference or its id (D131), `lost` where the pharmacy lost it; undefined without one. */
    async findOrderOf(reference: string, limits: CallLimits) {
      const byId = isUuid(reference) ? await findById(reference, limits) : undefined;
      if (byId?.status === 'failed' && byId.errorMessage === missingOrderText) return 'lost';
      // A task id may be a UUID too.
      const ours = byId ? [byId] : await listByReference(reference, limits);
      const found = ours.find(
        ({ pharmacyOrderId, status }) => pharmacyOrderId !== null && status !== 'failed',
      );
      return found && { id: found.id, detail: found.status };
    },

    /** A page of our orders that were submitted in a period, newest first (D131). */
    async listOrders(
      { from, to, cursor }: { from: Date; to: Date; cursor: string | null },
      limits: CallLimits,
    ) {
      const query = new URLSearchParams({
        submittedFrom: from.toISOString(),
        submittedTo: to.toISOString(),
        limit: '200',
        ...(cursor !== null && { cursor }),
      });
      const path = `/rx/prescriptions?${query.toString()}`;
      const { prescriptions, nextCursor } = parseAnswer(
        party,
        await call({ method: 'GET', path, ...limits }),
        period,
      );
      const orders = prescriptions
        .filter(isOurs)
        .map((order) => ({ ...order, reference: keyOfOrder(order) }));
      return { orders, nextCursor };
    },

    /**
     * Requests a cancellation, and waits a while for the pharmacy. After a denial it sends a new request: read the
     * state of the last one with `readCancellation`. An order that the pharmacy does not have is denied as
     * `not_found`.
     */
    async cancel(submissionId: string, reason: string, limits: CallLimits): Promise<CancelAnswer> {
      const path = `/rx/prescriptions/${submissionId}/cancel`;
      const response = await call({ method: 'POST', path, body: { reason }, ...limits });
      if (response.status === 409)
        return (await isMissing(submissionId, limits))
          ? { state: 'denied', submissionId, reason: 'not_found' }
          : { state: 'none' };
      return asAnswer(submissionId, parseAnswer(party, response, cancelled).cancellation);
    },

    /** True if the pharmacy has an accepted order, after a look by its reference (D138); null while it looks. */
    async lookForOrder(submissionId: string, limits: CallLimits): Promise<boolean | null> {
      const path = `/rx/prescriptions/${submissionId}/missing`;
      const response = await call({ method: 'POST', path, ...limits });
      // The look is over, or the order has progressed.
      if (response.status === 409) return !(await isMissing(submissionId, limits));
      return parseAnswer(party, response, looked).found;
    },

    /** The prescription with all amendments (D100). */
    async readPrescription(submissionId: string, limits: CallLimits): Promise<PrescriptionSubmission> {
      const response = await call({ method: 'GET', path: `/rx/prescriptions/${submissionId}`, ...limits });
      const { requestPayload, amendments } = parseAnswer(party, response, submitted);
      return amendments.reduce(withChange, requestPayload as unknown as PrescriptionSubmission);
    },

    /** The changes of an answer to a hold; undefined if there are none. */
    async readChange(submissionId: string, holdId: string, limits: CallLimits) {
      const response = await call({ method: 'GET', path: `/rx/prescriptions/${submissionId}`, ...limits });
      if (response.status === 404) return undefined;
      return parseAnswer(party, response, amended).amendments.find((change) => change.holdId === holdId);
    },

    /** True if a pharmacy can fill the prescription of an order. */
    async canFill(submissionId: string, pharmacy: Pharmacy, limits: CallLimits): Promise<boolean> {
      const path = `/rx/prescriptions/${submissionId}/pharmacies/${pharmacy}`;
      const response = await call({ method: 'GET', path, ...limits });
      return parseAnswer(party, response, filling).fills;
    },

    /** The state of the last cancellation request; `none` if there was none. */
    async readCancellation(submissionId: string, limits: CallLimits): Promise<CancelAnswer> {
      const response = await call({ method: 'GET', path: `/rx/prescriptions/${submissionId}`, ...limits });
      const { cancellation } = parseAnswer(party, response, mayBeCancelled);
      return cancellation ? asAnswer(submissionId, cancellation) : { state: 'none' };
    },
  };
}

const asAnswer = (submissionId: string, { state, reason }: z.infer<typeof cancellation>): CancelAnswer =>
  state === 'denied' ? { state, submissionId, reason: reason ?? 'other' } : { state, submissionId };

const isUuid = (text: string): boolean => z.uuid().safeParse(text).success;

const withChange = (
  prescription: PrescriptionSubmission,
  { changes: { shipTo, ...medication } }: { changes: Record<string, unknown> },
): PrescriptionSubmission => ({
  ...prescription,
  medication: { ...prescription.medication, ...medication },
  ...(shipTo === undefined ? {} : { shipTo: shipTo as PrescriptionSubmission['shipTo'] }),
});
