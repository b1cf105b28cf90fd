import { ownTaskId } from '../../domain/clients.js';
import { isDeepStrictEqual } from 'node:util';
import { findLiveReference } from '../../db/orchestrator/order-references.js';
import { findOrder } from '../../db/orchestrator/orders.js';
import {
  asReplacement,
  claimReplacement,
  findLastReplacement,
  findRequestedReplacement,
  readReplacement,
  type StoredReplacement,
} from '../../db/orchestrator/replacements.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import { departureText, incompleteText, judgePatient, notFoundText } from '../../domain/orderable-patient.js';
import {
  erasedPrescriptionText,
  isOver,
  notShippedText,
  type Replacement,
  type ReplacementRequest,
  type ShipTo,
  underWayText,
} from '../../domain/orchestrator/replacement.js';
import { noRouteText, pharmacies, type Pharmacy } from '../../domain/pharmacies.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { ownServices } from '../../integrations/own-services.js';
import { createRouterClient } from '../../integrations/router/client.js';
import { createOrderClient } from '../../integrations/router/orders.js';
import { businessDay } from '../../platform/business-day.js';
import * as starts from '../../starts/order-changes.js';
import type { ServiceContext } from '../context.js';
import { conflict, HttpError, notFound, unavailable } from '../http-errors.js';
import { endOf, outboundAs, runFailed } from '../outcomes.js';
import { heldReference } from './cancel.js';
import type { ReplacementRequest as Body } from './contract.js';
import type { ShipToRequest } from './replacement-contract.js';

/** Equal to the timeout of one attempt of the approval (D34). */
const timeoutMs = 5_000;
const away = () => unavailable();

/** `replayed`: an earlier equal request ordered it. */
interface Replaced {
  replacement: Replacement;
  replayed: boolean;
}

/**
 * Replaces the shipped order of a task, or of the newest refill of a schedule (D120). Everything is checked before the
 * replacement is claimed. `requestKey` finds the replacement of the same request, whatever became of it.
 * @returns a function that throws HttpError 404 for an unknown task; 409 if the order has not shipped, a replacement is
 * under way or the patient has left; 422 if no pharmacy can fill it; 502 if the pharmacy rejects it
 */
export function createReplacing({ config, sql, temporal }: ServiceContext) {
  const own = config.service('orchestrator');
  const emr = createEmrClient({ baseUrl: own.EMR_BASE_URL, token: own.EMR_TOKEN });
  const services = ownServices(own);
  const [router, orders] = [createRouterClient(services.router), createOrderClient(services.router)];

  return async (
    { taskId, reason, paidBy, note: said, shipTo }: Body,
    { requestedBy, requestKey = null }: { requestedBy: string; requestKey?: string | null },
    answerWithinMs = 60_000,
  ): Promise<Replaced> => {
    const own = requestKey === null ? undefined : await findRequestedReplacement(sql, requestKey);
    if (own) return ended(taskId, own, answerWithinMs);
    const note = said ?? null;
    const asked = { reason, paidBy, note, shipTo: shipTo === undefined ? null : addressOf(shipTo) };
    const held = await heldReference(sql, taskId);
    if (!(await findTask(sql, held))) throw notFound('Task not found');
    for (;;) {
      const last = await findLastReplacement(sql, held);
      if (last && !isOver(last.state)) {
        if (!isSame(last, asked)) throw conflict(underWayText);
        return last.isRunning
          ? await ended(taskId, last.reference, answerWithinMs)
          : { replacement: replacementOf(last), replayed: true };
      }
      const { emrPatientId, source, pharmacy: first } = await findSource(held);
      await checkPatient(emrPatientId);
      const pharmacy = await findPharmacy(source, first, asked.shipTo);
      const claim = { ...asked, taskId: held, pharmacy, sourceSubmissionId: source, requestedBy, requestKey };
      const claimed = await claimReplacement(sql, claim);
      if (claimed.state === 'refused') throw conflict(claimed.why);
      // Otherwise a concurrent request was first.
      if (claimed.state === 'claimed') return ended(taskId, claimed.reference, answerWithinMs);
    }
  };

  /** The order to replace. @throws HttpError 409 */
  async function findSource(held: string) {
    const [order, live] = await Promise.all([findOrder(sql, held), findLiveReference(sql, held)]);
    const found =
      order && live && (await orders.findOrder(live.reference, { timeoutMs }).catch(outboundAs(away)));
    if (!found || (found.status !== 'shipped' && found.status !== 'delivered'))
      throw conflict(notShippedText);
    return { emrPatientId: order.emrPatientId, source: found.submissionId, pharmacy: found.pharmacy };
  }

  /** Step 2 of an approval. @throws HttpError 409 with its text */
  async function checkPatient(emrPatientId: string): Promise<void> {
    const record = await emr.readPatient(emrPatientId, { timeoutMs }).catch(outboundAs(away));
    if (!record) throw conflict(notFoundText(emrPatientId), {}, 'patient_not_found');
    const verdict = judgePatient(record, {
      today: businessDay(config.BUSINESS_TIMEZONE),
      consentExtension: own.EMR_CONSENT_EXTENSION,
    });
    if ('left' in verdict)
      throw conflict(departureText(verdict.left, emrPatientId), {}, `patient_${verdict.left}`);
    if ('missing' in verdict) throw conflict(incompleteText(verdict.missing), {}, 'patient_incomplete');
  }

  /** The first order's pharmacy; for another state the one that serves it. @throws HttpError 422 */
  async function findPharmacy(source: string, first: Pharmacy, shipTo: ShipTo | null): Promise<Pharmacy> {
    const prescription = await orders.readPrescription(source, { timeoutMs }).catch(outboundAs(away));
    const { shipTo: earlier } = prescription as Partial<typeof prescription>;
    if (!earlier) throw conflict(erasedPrescriptionText);
    const { state } = shipTo ?? earlier;
    if (state.toUpperCase() === earlier.state.toUpperCase()) {
      if (await orders.canFill(source, first, { timeoutMs }).catch(outboundAs(away))) return first;
      throw cannotFill(first);
    }
    const { name: medication, key = medication } = prescription.medication;
    const route = await router.routeOf({ state, medication, key }, { timeoutMs }).catch(outboundAs(away));
    const pharmacy = pharmacies.find((name) => name === route.pharmacy);
    if (pharmacy === undefined) throw new HttpError(422, noRouteText(state), { code: 'no_pharmacy_route' });
    if (!route.carriesMedication) throw cannotFill(pharmacy);
    return pharmacy;
  }

  /** Waits for the run of a replacement. @throws HttpError 502, 503 */
  async function ended(taskId: string, reference: string, withinMs: number): Promise<Replaced> {
    const outcome = await starts.replaceOrder(temporal, { taskId, reference }, withinMs);
    if (outcome.state !== 'timed_out') {
      const end = endOf(outcome, { what: 'replacement', ids: { taskId: ownTaskId(taskId) } });
      if (end.state === 'failed') throw runFailed(end.failure);
      if (end.result.state === 'rejected') throw rejected(end.result.error);
    }
    const stored = await readReplacement(sql, reference);
    if (!stored) throw new Error('A replacement has no record');
    if (stored.state === 'rejected') throw rejected(`${stored.pharmacy} rejected the order`);
    return { replacement: replacementOf(stored), replayed: false };
  }
}

const cannotFill = (pharmacy: Pharmacy) =>
  new HttpError(422, `${pharmacy} cannot fill this prescription`, { code: 'medication_not_at_pharmacy' });
const rejected = (text: string) => new HttpError(502, text, { code: 'order_rejected' });

const isSame = (last: ReplacementRequest, asked: ReplacementRequest): boolean =>
  (['reason', 'paidBy', 'note', 'shipTo'] as const).every((field) =>
    isDeepStrictEqual(last[field], asked[field]),
  );

/** A repeat gets the first answer, also once the order has shipped. */
const replacementOf = (stored: StoredReplacement): Replacement => {
  const { state } = stored;
  const isOpen = state === 'pending' || state === 'unknown';
  return { ...asReplacement(stored), state: isOpen ? state : 'ordered' };
};

/** A given address in the form that is kept. */
export function addressOf({ addressLine1, addressLine2, city, state, zip }: ShipToRequest): ShipTo {
  const line2 = addressLine2?.trim();
  return {
    addressLine1: addressLine1.trim(),
    ...(line2 ? { addressLine2: line2 } : {}),
    city: city.trim(),
    state: state.toUpperCase(),
    zip: zip.trim(),
  };
}
