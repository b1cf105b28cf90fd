import {
  type PharmacyCall,
  type PharmacyResult,
  type PrescriptionSubmission,
  provesNoOrder,
} from '../../domain/router/submission.js';
import { asOrdered } from '../../domain/router/ordered.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { pharmacyAnswers } from '../../platform/metrics.js';
import type { PharmacyAnswer } from './adapter.js';
import type { Pharmacies } from './registry.js';

/** Cap on a pharmacy's `Retry-After`: three calls and two pauses stay within 20 s (D23). */
const maxRetryAfterMs = 900;

export function pauseOf({ fault }: OutboundError): number | undefined {
  const retryAfterMs = fault.kind === 'status' ? fault.retryAfterMs : undefined;
  return retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, maxRetryAfterMs);
}

/**
 * Places the order of a claimed submission.
 * @returns `unanswered` for a rejection after which the order may still exist
 * @throws OutboundError without a usable answer, also for an unreadable 2xx; the caller retries
 *
 * Safe to repeat: every call of an attempt has the same idempotency key and order.
 */
export async function placeOrder(
  pharmacies: Pharmacies,
  { submissionId, call }: { submissionId: string; call: PharmacyCall },
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<PharmacyResult> {
  const { choice } = call;
  if ('rejection' in choice) {
    // No call now (D20, D124), but earlier ones with this key may have ordered.
    const outcome = call.calls === 1 ? 'rejected' : 'unanswered';
    return { outcome, error: choice.rejection, response: null };
  }
  const answer = await ask(pharmacies, { submissionId, call, article: choice.article }, limits);
  pharmacyAnswers.inc({ pharmacy: call.pharmacy, answer: answer.accepted ? 'accepted' : 'rejected' });
  if (answer.accepted) {
    const { pharmacyOrderId, response } = answer;
    return { outcome: 'accepted', pharmacyOrderId, response };
  }
  const { error, status, response } = answer;
  return { outcome: provesNoOrder(status, call.calls) ? 'rejected' : 'unanswered', error, response };
}

async function ask(
  pharmacies: Pharmacies,
  { submissionId, call, article }: { submissionId: string; call: PharmacyCall; article: string },
  limits: { timeoutMs: number; signal?: AbortSignal },
): Promise<PharmacyAnswer> {
  // Validated when it was accepted.
  const submission = asOrdered(JSON.parse(call.requestPayload) as PrescriptionSubmission);
  const options = { idempotencyKey: `${submissionId}-${call.try}`, test: call.isTest, ...limits };
  try {
    return await pharmacies[call.pharmacy].placeOrder(submissionId, { article, submission }, options);
  } catch (error) {
    if (error instanceof OutboundError) pharmacyAnswers.inc({ pharmacy: call.pharmacy, answer: 'none' });
    throw error;
  }
}
