import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../db/client.js';
import { recordAttempt } from '../../../db/router/callbacks.js';
import { reportUnanswered } from '../../../db/router/cancellations.js';
import { askAgain, noteSilence } from '../../../db/router/silence.js';
import { claimSubmission } from '../../../db/router/submission-claims.js';
import { findRecordedResult, readOrder } from '../../../db/router/submissions.js';
import { reportUnknownOrder } from '../../../db/router/unknown-orders.js';
import { rejectionsBeforeWorkItem } from '../../../domain/http-status.js';
import { longAgo } from './long-ago.js';

export function restOfRouter(sql: Sql): Promise<unknown>[] {
  const id = randomUUID();
  return [
    readOrder(sql, id),
    askAgain(sql, id),
    noteSilence(sql, { submissionId: id, askedAt: longAgo }),
    takeOver(sql),
    unknown(sql),
    refused(sql),
  ];
}

/** A run takes over a submission whose first attempt made no order. */
async function takeOver(sql: Sql): Promise<void> {
  const claim = await settled(sql, 'rejected');
  const request = { ...claim, preferredPharmacy: null, claimId: randomUUID(), takesOver: claim.claimId };
  await claimSubmission(sql, request, 'run');
}

/** The pharmacy reports nothing about an order and does not answer its cancellation. */
async function unknown(sql: Sql): Promise<void> {
  const { submissionId, claimId } = await settled(sql, 'unanswered');
  await findRecordedResult(sql, { submissionId, claimId });
  await reportUnknownOrder(sql, { submissionId, claimId, workflowId: 'test' });
  await sql`insert into router.cancellation (submission_id, state) values (${submissionId}, 'pending')`;
  await reportUnanswered(sql, { submissionId, number: 1, workflowId: 'test' });
}

/** A receiver rejects a callback until a work item opens. */
async function refused(sql: Sql): Promise<void> {
  const { submissionId } = await settled(sql, 'rejected');
  const callbackId = randomUUID();
  const inAnHour = Date.now() + 3_600_000;
  await sql`
    insert into router.callback (id, submission_id, sequence, kind, payload, next_attempt_at)
    values (${callbackId}, ${submissionId}, 1, 'initial', '{}', ${new Date(inAnHour)})
  `;
  for (let attempts = 1; attempts <= rejectionsBeforeWorkItem; attempts += 1)
    await recordAttempt(sql, {
      attemptId: randomUUID(),
      submissionId,
      callbackId,
      series: 1,
      attempts,
      firstAttemptAt: Date.now(),
      at: new Date().toISOString(),
      status: 400,
      error: 'test',
      durationMs: 1,
      verdict: { state: 'pending', nextAttemptAt: inAnHour },
    });
}

/** A submission whose attempt made no order, and its claim. */
async function settled(sql: Sql, outcome: 'rejected' | 'unanswered') {
  const [submissionId, claimId] = [randomUUID(), randomUUID()];
  const claim = {
    claimId,
    apiKeyId: 'test',
    source: 'test',
    sourceOrderId: submissionId,
    callbackUrl: '',
    patientState: 'NY',
    medicationName: 'test',
    isTest: true,
    payloadHash: 'test',
  };
  const row = { ...claim, id: submissionId, pharmacy: 'pharmacy_a', outcome, status: 'failed' };
  await sql`insert into router.submission ${sql({ ...row, requestPayload: '{}' })}`;
  return { ...claim, submissionId };
}
