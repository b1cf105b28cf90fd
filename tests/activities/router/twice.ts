import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { keepPayload } from '../../../db/router/submissions.js';
import { listCallbacks } from '../../../db/router/callbacks.js';
import { jsonHash } from '../../../platform/crypto/ids.js';
import type { callbackActivities, routerActivities } from '../../../workers/router/activities.js';
import { routerActivities as compose } from '../../../workers/router/activities.js';
import { callsTo, type Order } from '../../api/orchestrator/approvals.js';
import { call, sandbox } from '../../helpers/client.js';
import { inState, prescription } from '../../helpers/prescription.js';
import { eventOf, eventQueue, workItemsOf } from '../events.js';
import { contextOf, db, dev } from '../real-parts.js';
import { consuming, type Entries, type Entry } from '../twice.js';

export const own = compose(contextOf('router'));

/** A request whose body is kept, as the API hands it to its run. Its callbacks go to a party that takes any object. */
export async function received() {
  const submission = { ...prescription(), callbackUrl: `${dev.sandbox}/crm` };
  const claim = {
    submissionId: randomUUID(),
    claimId: randomUUID(),
    apiKeyId: dev.apiKeys['clinic']!.key,
    source: submission.source,
    sourceOrderId: submission.sourceOrderId,
    callbackUrl: submission.callbackUrl,
    patientState: 'NY',
    medicationName: submission.medication.name,
    isTest: false,
    payloadHash: jsonHash(submission),
    preferredPharmacy: null,
  };
  await keepPayload(db, claim, JSON.stringify(submission));
  return claim;
}

async function claimed() {
  const request = await received();
  await own.claimSubmission(request);
  return { submissionId: request.submissionId, claimId: request.claimId };
}

const accepting = () => ({
  outcome: 'accepted' as const,
  pharmacyOrderId: `c-${randomUUID()}`,
  response: '{}',
});

/** A hold with an answer on its way that the run which follows it has not been told of. */
async function answering() {
  const answer = await call<{ submissionId: string; pharmacyOrderId: string }>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body: prescription(),
  });
  const { submissionId, pharmacyOrderId } = answer.body;
  const holdId = `hold-${randomUUID()}`;
  await sandbox(dev, `/pharmacies/pharmacy_c/orders/${pharmacyOrderId}/hold`, {
    method: 'POST',
    body: { id: holdId, code: 'out-of-stock' },
  });
  await db`
    update router.hold set answer = 'proceed', answer_hash = 'hash', number = 1 where submission_id = ${submissionId}
  `;
  return { submissionId, pharmacyOrderId, holdId };
}

/** An order whose cancellation is pending, with nobody at it: no run was told, and no sweep looks for it yet. */
async function cancelling() {
  const body = prescription();
  const answer = await call<{ submissionId: string; pharmacyOrderId: string }>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body,
  });
  const { submissionId } = answer.body;
  await db`
    insert into router.cancellation (submission_id, state, requested_at)
    values (${submissionId}, 'pending', now() + interval '1 hour')
  `;
  return answer.body;
}

/** A submission whose pharmacy gave no answer. */
async function unanswered() {
  const claim = await claimed();
  const result = { outcome: 'unanswered' as const, error: 'No answer in time', response: null };
  await own.recordSubmissionResult({ ...claim, result });
  return claim;
}

/** A callback that is due in an hour: nobody delivers it meanwhile. */
async function waitingCallback() {
  const { submissionId } = await claimed();
  const [callback] = await db<[{ id: string }]>`
    insert into router.callback (submission_id, sequence, kind, state, payload, next_attempt_at)
    values (${submissionId}, 1, 'initial', 'pending', '{}', now() + interval '1 hour')
    returning id
  `;
  await db`update router.submission set last_callback = 1 where id = ${submissionId}`;
  return { submissionId, callbackId: callback.id };
}

const kindsOf = async (submissionId: string) =>
  (await listCallbacks(db, submissionId)).map(({ kind }) => kind);

const activities: Entries<ReturnType<typeof routerActivities> & ReturnType<typeof callbackActivities>> = {
  ...eventQueue('router', 'work_item.opened'),
  claimSubmission: async () => {
    const request = await received();
    const { submissionId } = request;
    const result = accepting();
    const { pharmacyOrderId } = result;
    return {
      input: request,
      answers: { pharmacy: 'pharmacy_c', try: 1 },
      seen: () => db`select try, calls, status from router.submission where id = ${submissionId}`,
      once: [{ try: 1, calls: 0, status: 'processing' }],
      meanwhile: () => own.recordSubmissionResult({ ...request, result }),
      thenAnswers: {
        recorded: { submissionId, pharmacy: 'pharmacy_c', status: 'submitted', pharmacyOrderId },
      },
    };
  },
  recordSubmissionResult: async () => {
    const claim = await claimed();
    return {
      input: { ...claim, result: accepting() },
      seen: () => kindsOf(claim.submissionId),
      once: ['initial'],
    };
  },
  openUnknownOrder: async () => {
    const { submissionId, claimId } = await unanswered();
    const later = expect.any(Number);
    return {
      input: { submissionId },
      answers: { claimId, pharmacy: 'pharmacy_c', looksAtMs: [later, later, later, later, later] },
    };
  },
  askForOrder: async () => {
    const input = await unanswered();
    return {
      input,
      answers: 'absent',
      thenAnswers: 'over',
      seen: async () => ({
        row: await db`select outcome, status from router.submission where id = ${input.submissionId}`,
        told: await kindsOf(input.submissionId),
      }),
      once: { row: [{ outcome: 'rejected', status: 'failed' }], told: ['initial'] },
    };
  },
  reportUnknownOrder: async () => {
    const input = await unanswered();
    return {
      input,
      answers: true,
      seen: () => workItemsOf('router', input.submissionId),
      once: [{ kind: 'order_unknown', reason: 'unanswered', state: 'open', told: 1 }],
    };
  },
  placePharmacyOrder: async () => {
    const claim = await claimed();
    const result = accepting();
    const { pharmacyOrderId, response } = result;
    return {
      input: claim,
      answers: { pharmacyOrderId: expect.any(String), response: expect.any(String) },
      // Once it has ended the record is answered.
      meanwhile: () => own.recordSubmissionResult({ ...claim, result }),
      thenAnswers: { pharmacyOrderId, response },
      seen: async () => {
        const { orders } = await sandbox<{ orders: Order[] }>(dev, '/orders');
        return orders.filter(({ body }) => body['externalId'] === claim.submissionId).length;
      },
      once: 1,
    };
  },
  readCancellation: async () => {
    const { submissionId } = await cancelling();
    return {
      input: { submissionId },
      answers: { number: 1, pharmacy: 'pharmacy_c', shippedMeanwhile: false, askUntil: expect.any(Number) },
    };
  },
  cancelOrder: async () => {
    const { submissionId, pharmacyOrderId } = await cancelling();
    return {
      input: { submissionId, number: 1 },
      answers: { state: 'approved' },
      thenAnswers: { state: 'approved' },
      seen: async () => {
        const { orders } = await sandbox<{ orders: (Order & { moves: { status: string }[] })[] }>(
          dev,
          '/orders',
        );
        return orders.find(({ orderId }) => orderId === pharmacyOrderId)?.moves.map(({ status }) => status);
      },
      once: ['cancelled'],
    };
  },
  recordCancellation: async () => {
    const { submissionId } = await cancelling();
    return {
      input: { submissionId, number: 1, answer: { state: 'approved' } },
      seen: () => kindsOf(submissionId),
      once: ['initial', 'update'],
    };
  },
  reportCancellation: async () => {
    const { submissionId } = await cancelling();
    return {
      input: { submissionId, number: 1, workflowId: `cancellation:${submissionId}` },
      seen: () => db`
        select item.state, (select count(*)::int from router.outbox where aggregate_id = item.id::text) as told
        from router.work_item as item
        where fact = ${submissionId}
      `,
      once: [{ state: 'open', told: 1 }],
    };
  },
  readHold: async () => {
    const { submissionId, holdId } = await answering();
    const hold = { code: 'out_of_stock', until: null, number: 1, pharmacy: 'pharmacy_c' };
    return {
      input: { submissionId, holdId },
      // The run that follows the hold may have handed the answer over meanwhile.
      answers: expect.objectContaining(hold),
      thenAnswers: expect.objectContaining(hold),
    };
  },
  handOverAnswer: async () => {
    const { submissionId, holdId, pharmacyOrderId } = await answering();
    return {
      input: { submissionId, holdId, number: 1 },
      // The run that follows the hold may have handed it over meanwhile, and then it is over.
      answers: expect.anything(),
      thenAnswers: expect.anything(),
      seen: async () => {
        const { orders } = await sandbox<{ orders: (Order & { holds: unknown[] })[] }>(dev, '/orders');
        return orders.find(({ orderId }) => orderId === pharmacyOrderId)?.holds;
      },
      once: [expect.objectContaining({ state: 'answered', answer: 'proceed' })],
    };
  },
  recordHoldReply: async () => {
    const { submissionId, holdId } = await answering();
    return {
      input: { submissionId, holdId, number: 1, refusal: null },
      seen: () => db`select state, number, answer from router.hold where submission_id = ${submissionId}`,
      once: [{ state: 'answered', number: 1, answer: 'proceed' }],
    };
  },
  askSilentOrders: async () => {
    const answer = await call<{ submissionId: string; pharmacyOrderId: string }>(dev, 'router', {
      key: 'clinic',
      method: 'POST',
      path: '/rx/prescriptions/submit',
      body: inState('TX'),
    });
    const { submissionId, pharmacyOrderId } = answer.body;
    await sandbox(dev, `/pharmacies/pharmacy_b/orders/${pharmacyOrderId}/status`, {
      method: 'POST',
      body: { status: 'shipped', silent: true },
    });
    await db`update router.submission set heard_at = now() - interval '2 days' where id = ${submissionId}`;
    return {
      input: { pharmacy: 'pharmacy_b', since: Date.now() },
      answers: { asked: expect.any(Number), inVain: 0 },
      // An order is asked for once in a check.
      thenAnswers: { asked: 0, inVain: 0 },
      seen: async () => ({
        logged: await db`select source, healed from router.webhook_log where submission_id = ${submissionId}`,
        told: await kindsOf(submissionId),
      }),
      once: { logged: [{ source: 'asked', healed: true }], told: ['initial', 'update'] },
    };
  },
  nextCallback: async () => {
    const { submissionId, callbackId } = await waitingCallback();
    return {
      input: { submissionId },
      answers: {
        callbackId,
        sequence: 1,
        kind: 'initial',
        series: 1,
        attempts: 0,
        firstAttemptAt: null,
        dueAt: expect.any(Number),
        lastError: null,
      },
    };
  },
  deliverCallback: async () => {
    const { callbackId } = await waitingCallback();
    const answers = {
      attempt: { at: expect.any(String), status: 200, error: null, durationMs: expect.any(Number) },
    };
    return {
      input: { callbackId },
      answers,
      thenAnswers: answers,
      seen: async () =>
        (await callsTo(dev, 'crm'))
          .map(({ headers }) => headers['x-callback-id'])
          .filter((id) => id === callbackId),
      once: [callbackId],
      atLeastOnce: 'a receiver is told until it answers; it knows a repeat by its X-Callback-Id (D26)',
    };
  },
  recordCallbackAttempt: async () => {
    const { submissionId, callbackId } = await waitingCallback();
    const answered = { at: new Date().toISOString(), status: 200, error: null, durationMs: 5 };
    return {
      input: {
        ...answered,
        attemptId: randomUUID(),
        submissionId,
        callbackId,
        series: 1,
        attempts: 1,
        firstAttemptAt: Date.now(),
        verdict: { state: 'delivered', nextAttemptAt: null },
      },
      seen: async () =>
        (await listCallbacks(db, submissionId)).map(({ state, attempts }) => [state, attempts.length]),
      once: [['delivered', 1]],
    };
  },
};

export const router: Record<string, Entry> = {
  ...activities,
  ...consuming('router', {
    'emr.medication_dispense.completed': async () => {
      const claim = await claimed();
      const result = accepting();
      await own.recordSubmissionResult({ ...claim, result });
      const resource = { identifier: [{ value: result.pharmacyOrderId }] };
      return {
        event: eventOf('bridge', 'emr.medication_dispense.completed', { resource }),
        seen: async () => ({
          logged:
            await db`select webhook from router.webhook_log where submission_id = ${claim.submissionId}`,
          told: await kindsOf(claim.submissionId),
        }),
        once: { logged: [{ webhook: 'MedicationDispense.completed' }], told: ['initial', 'update'] },
      };
    },
  }),
};
