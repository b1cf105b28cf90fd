import { afterAll, expect, test } from '@jest/globals';
import type { Sql } from '../../../db/client.js';
import { routerActivities } from '../../../workers/router/activities.js';
import { sandbox } from '../../helpers/client.js';
import { closeParts, contextOf, db, dev, running } from '../real-parts.js';
import { own, received } from './twice.js';

afterAll(closeParts);

/** A database of a process that dies when it begins its second transaction. */
function dying(sql: Sql): Sql {
  let begun = 0;
  return new Proxy(sql, {
    get: (target, name) => {
      if (name === 'begin' && (begun += 1) > 1) throw new Error('The process died');
      return Reflect.get(target, name) as unknown;
    },
  });
}

test('A process that dies after it found an order loses no hold that the pharmacy reported meanwhile', async () => {
  const claim = await received();
  const { submissionId, claimId } = claim;
  await own.claimSubmission(claim);
  const place = (input: Parameters<typeof own.placePharmacyOrder>[0]) => own.placePharmacyOrder(input);
  const { pharmacyOrderId } = await running(place, { submissionId, claimId });
  const result = { outcome: 'unanswered' as const, error: 'No answer in time', response: null };
  await own.recordSubmissionResult({ submissionId, claimId, result });
  const refused = await sandbox<{ status: number }>(
    dev,
    `/pharmacies/pharmacy_c/orders/${pharmacyOrderId}/hold`,
    { method: 'POST', body: { id: 'h1', code: 'out-of-stock' } },
  );
  expect(refused.status).toBe(404);

  const context = contextOf('router');
  const killed = routerActivities({ ...context, sql: dying(context.sql) });
  await running((asked) => killed.askForOrder(asked), { submissionId, claimId }).catch(() => undefined);
  await running((asked) => own.askForOrder(asked), { submissionId, claimId }, 2);
  expect(await db`select hold_id, state from router.hold where submission_id = ${submissionId}`).toEqual([
    { holdId: 'h1', state: 'open' },
  ]);
});
