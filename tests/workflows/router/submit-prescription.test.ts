import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowFailedError } from '@temporalio/client';
import type { PlacedOrder, Refusal } from '../../../activities/router/pharmacy.js';
import type { Claimed, ClaimRequest, SettleRequest } from '../../../activities/router/submissions.js';
import { failureTypes } from '../../../domain/failures.js';
import type { submitPrescription } from '../../../workflows/router/submit-prescription.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

const placed: PlacedOrder = { pharmacyOrderId: 'case_1', response: '{"caseId":"case_1"}' };
const unavailable = (message: string) =>
  ApplicationFailure.create({ type: failureTypes.unavailable, message });
const rejected = (noOrder: boolean) => {
  const refusal: Refusal = { error: 'Unknown SKU', response: '{}', noOrder };
  return ApplicationFailure.nonRetryable('rejected', failureTypes.rejected, refusal);
};

/** Runs one submission; `place` is the pharmacy at its n-th call, from 1. */
async function submit(place: (call: number) => PlacedOrder, claimed?: Claimed) {
  const submissionId = randomUUID();
  const settled: SettleRequest['result'][] = [];
  let calls = 0;
  const request: ClaimRequest = {
    submissionId,
    claimId: randomUUID(),
    apiKeyId: 'clinic',
    source: 'test',
    sourceOrderId: 'order-1',
    callbackUrl: 'http://127.0.0.1:9/',
    patientState: 'NY',
    medicationName: 'semaglutide',
    isTest: false,
    payloadHash: 'hash',
    preferredPharmacy: null,
  };
  const activities = {
    claimSubmission: async (): Promise<Claimed> => claimed ?? { pharmacy: 'pharmacy_a', try: 1 },
    placePharmacyOrder: async () => place(++calls),
    recordSubmissionResult: async ({ result }: SettleRequest) => void settled.push(result),
  };
  const taskQueue = `router-${submissionId}`;
  const answer: unknown = await time
    .withWorker(taskQueue, activities, () =>
      time.env.client.workflow.execute<typeof submitPrescription>('submitPrescription', {
        workflowId: `submission:${submissionId}`,
        taskQueue,
        args: [request],
      }),
    )
    .catch((error: unknown) => (error instanceof WorkflowFailedError ? error.cause : error));
  return { answer, settled, calls: () => calls, submissionId };
}

describe('a submission', () => {
  it('is recorded as accepted before it is answered', async () => {
    const { answer, settled } = await submit(() => placed);
    expect(settled).toEqual([{ outcome: 'accepted', ...placed }]);
    expect(answer).toMatchObject({
      replayed: false,
      answer: { status: 'submitted', pharmacyOrderId: 'case_1' },
    });
  });

  it('that was accepted before is answered without asking the pharmacy', async () => {
    const recorded = {
      submissionId: randomUUID(),
      pharmacy: 'pharmacy_a' as const,
      status: 'submitted' as const,
      pharmacyOrderId: 'case_0',
    };
    const { answer, settled, calls } = await submit(() => placed, { recorded });
    expect(answer).toEqual({ replayed: true, answer: recorded });
    expect([calls(), settled]).toEqual([0, []]);
  });

  it('that is rejected is asked once, recorded, and fails the run with the 502 answer', async () => {
    const { answer, settled, calls, submissionId } = await submit(() => {
      throw rejected(true);
    });
    expect(calls()).toBe(1);
    expect(settled).toEqual([{ outcome: 'rejected', error: 'Unknown SKU', response: '{}' }]);
    expect(answer).toMatchObject({
      type: failureTypes.rejected,
      details: [
        {
          submissionId,
          pharmacy: 'pharmacy_a',
          status: 'failed',
          pharmacyOrderId: null,
          error: 'Unknown SKU',
        },
      ],
    });
  });

  it('whose refusal does not prove that there is no order is recorded as unanswered', async () => {
    const { answer, settled } = await submit(() => {
      throw rejected(false);
    });
    expect(settled).toMatchObject([{ outcome: 'unanswered', error: 'Unknown SKU' }]);
    expect(answer).toMatchObject({ type: failureTypes.unavailable });
  });

  it('that is not answered is asked three times and recorded as unanswered', async () => {
    const { settled, calls } = await submit(() => {
      throw unavailable('pharmacy_a answered 503');
    });
    expect(calls()).toBe(3);
    expect(settled).toEqual([{ outcome: 'unanswered', error: 'pharmacy_a answered 503', response: null }]);
  });

  it('outlives a long fault of our own, which uses up none of the pharmacy calls', async () => {
    const { answer, settled } = await submit((call) => {
      if (call <= 30) throw new Error('connect ECONNREFUSED');
      return placed;
    });
    expect(settled).toEqual([{ outcome: 'accepted', ...placed }]);
    expect(answer).toMatchObject({ answer: { status: 'submitted' } });
  });
});
