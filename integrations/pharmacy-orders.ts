import {
  type CatalogIds,
  pharmacyBCatalogId,
  toPharmacyAOrder,
  toPharmacyBOrder,
} from '../domain/router/pharmacy-mapping.js';
import { adapterOf } from '../domain/router/pharmacy-routing.js';
import {
  type PharmacyCall,
  type PharmacyResult,
  type PrescriptionSubmission,
  provesNoOrder,
} from '../domain/router/submission.js';
import type { ServiceConfig } from '../platform/config.js';
import { OutboundError } from '../platform/http/outbound.js';
import { pharmacyAnswers } from '../platform/metrics.js';
import { createPharmacyAClient, type PharmacyAClient } from './pharmacy-a/client.js';
import type { PharmacyAnswer } from './pharmacy-answer.js';
import { createPharmacyBClient, type PharmacyBClient } from './pharmacy-b/client.js';

export interface Pharmacies {
  pharmacyA: PharmacyAClient;
  pharmacyB: PharmacyBClient;
  /** pharmacy_b's catalog ids, where it carries the medication. */
  catalogIds: CatalogIds;
}

/** The pharmacies as the router's settings name them. */
export const pharmaciesOf = (settings: ServiceConfig<'router'>): Pharmacies => ({
  pharmacyA: createPharmacyAClient({
    baseUrl: settings.PHARMACY_A_BASE_URL,
    sandboxBaseUrl: settings.PHARMACY_A_SANDBOX_BASE_URL,
    apiKey: settings.PHARMACY_A_API_KEY,
  }),
  pharmacyB: createPharmacyBClient({
    baseUrl: settings.PHARMACY_B_BASE_URL,
    sandboxBaseUrl: settings.PHARMACY_B_SANDBOX_BASE_URL,
    clientId: settings.PHARMACY_B_CLIENT_ID,
    clientSecret: settings.PHARMACY_B_CLIENT_SECRET,
  }),
  catalogIds: {
    semaglutide: settings.PHARMACY_B_CATALOG_SEMAGLUTIDE,
    tirzepatide: settings.PHARMACY_B_CATALOG_TIRZEPATIDE,
  },
});

/** Honoured of what a pharmacy asks for in `Retry-After`: three calls and two pauses stay within 20 s (D23). */
const maxRetryAfterMs = 900;

/** How long the pharmacy wants to be left alone, where it says so. */
export function pauseOf({ fault }: OutboundError): number | undefined {
  const retryAfterMs = fault.kind === 'status' ? fault.retryAfterMs : undefined;
  return retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, maxRetryAfterMs);
}

/**
 * Places the order of a claimed submission with its pharmacy, once.
 * @returns the pharmacy's word; a no that leaves open whether there is an order is `unanswered`
 * @throws OutboundError when it gave no answer to go by, an unreadable 2xx too: asked again
 *
 * Safe to repeat: every call of a try carries the same idempotency key and the same order.
 */
export async function placeOrder(
  pharmacies: Pharmacies,
  { submissionId, call }: { submissionId: string; call: PharmacyCall },
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<PharmacyResult> {
  const answer = await ask(pharmacies, submissionId, call, limits);
  if (answer === 'not carried') {
    // No call now (D20), which says nothing about earlier ones with this key.
    const outcome = call.calls === 1 ? 'rejected' : 'unanswered';
    return { outcome, error: 'pharmacy_b has no catalog id for this medication', response: null };
  }
  pharmacyAnswers.inc({ pharmacy: call.pharmacy, answer: answer.accepted ? 'accepted' : 'rejected' });
  if (answer.accepted) {
    const { pharmacyOrderId, response } = answer;
    return { outcome: 'accepted', pharmacyOrderId, response };
  }
  const { error, status, response } = answer;
  return { outcome: provesNoOrder(status, call.calls) ? 'rejected' : 'unanswered', error, response };
}

async function ask(
  { pharmacyA, pharmacyB, catalogIds }: Pharmacies,
  submissionId: string,
  call: PharmacyCall,
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<PharmacyAnswer | 'not carried'> {
  // Checked against the contract when it was accepted.
  const submission = JSON.parse(call.requestPayload) as PrescriptionSubmission;
  const options = { idempotencyKey: `${submissionId}-${call.try}`, test: call.isTest, ...limits };
  try {
    switch (adapterOf(call.pharmacy)) {
      case 'pharmacy_a':
        return await pharmacyA.placeOrder(toPharmacyAOrder(submissionId, submission), options);
      case 'pharmacy_b': {
        const catalogId = pharmacyBCatalogId(submission.medication.name, catalogIds);
        if (catalogId === undefined) return 'not carried';
        return await pharmacyB.placeOrder(toPharmacyBOrder(submissionId, catalogId, submission), options);
      }
    }
  } catch (error) {
    if (error instanceof OutboundError) pharmacyAnswers.inc({ pharmacy: call.pharmacy, answer: 'none' });
    throw error;
  }
}
