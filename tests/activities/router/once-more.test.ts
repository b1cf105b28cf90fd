import { afterAll, expect, test } from '@jest/globals';
import { closeParts, db, running } from '../real-parts.js';
import { own, received } from './twice.js';

// A worker that dies after a submission's end was recorded has its activities run once more.

afterAll(closeParts);

type Placing = Parameters<typeof own.placePharmacyOrder>[0];

test.each([
  { outcome: 'rejected' as const, error: 'Unknown prescriber', noOrder: true },
  { outcome: 'unanswered' as const, error: 'No answer in time', noOrder: false },
])('a submission that has ended $outcome has no second try of its own', async (ended) => {
  const { outcome, error, noOrder } = ended;
  const request = await received();
  const { submissionId, claimId } = request;
  const claimed = await own.claimSubmission(request);
  await own.recordSubmissionResult({ submissionId, claimId, result: { outcome, error, response: null } });

  expect(await own.claimSubmission(request)).toEqual(claimed);
  const place = (input: Placing) => own.placePharmacyOrder(input);
  await expect(running(place, { submissionId, claimId }, 2)).rejects.toMatchObject({
    type: 'Rejected',
    nonRetryable: true,
    details: [{ error, response: null, noOrder }],
  });
  expect(await db`select outcome, try, calls from router.submission where id = ${submissionId}`).toEqual([
    { outcome, try: 1, calls: 0 },
  ]);
});
