import { randomUUID } from 'node:crypto';
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

const place = (input: Parameters<typeof own.placePharmacyOrder>[0]) => own.placePharmacyOrder(input);

/** An order at the pharmacy, which the router does not know by its id, so that the webhook of its hold is refused. */
async function heldUnderUnknownId(pharmacyOrderId: string | null) {
  const claim = await received();
  const { submissionId, claimId } = claim;
  await own.claimSubmission(claim);
  // The running system's sweep does not take it for left by its process.
  await db`update router.submission set updated_at = now() + interval '1 hour' where id = ${submissionId}`;
  const placed = await running(place, { submissionId, claimId });
  const result =
    pharmacyOrderId === null
      ? { outcome: 'unanswered' as const, error: 'No answer in time', response: null }
      : { outcome: 'accepted' as const, pharmacyOrderId, response: '{}' };
  await own.recordSubmissionResult({ submissionId, claimId, result });
  const path = `/pharmacies/pharmacy_c/orders/${placed.pharmacyOrderId}/hold`;
  const body = { id: 'h1', code: 'out-of-stock' };
  expect(await sandbox(dev, path, { method: 'POST', body })).toMatchObject({ status: 404 });
  return { submissionId, claimId, pharmacyOrderId: placed.pharmacyOrderId };
}
const holdsOf = (submissionId: string) =>
  db`select hold_id, state from router.hold where submission_id = ${submissionId}`;

test('A process that dies after it found an order loses no hold that the pharmacy reported meanwhile', async () => {
  const { submissionId, claimId } = await heldUnderUnknownId(null);
  const context = contextOf('router');
  const killed = routerActivities({ ...context, sql: dying(context.sql) });
  await running((asked) => killed.askForOrder(asked), { submissionId, claimId }).catch(() => undefined);
  await running((asked) => own.askForOrder(asked), { submissionId, claimId }, 2);
  expect(await holdsOf(submissionId)).toEqual([{ holdId: 'h1', state: 'open' }]);
});

test('An order that the pharmacy has under another id takes that id, its progress, and tells the client', async () => {
  const { submissionId, claimId, pharmacyOrderId } = await heldUnderUnknownId(`old-${randomUUID()}`);
  // A look that no run makes yet.
  await db`update router.submission set unknown_since = now() + interval '1 hour' where id = ${submissionId}`;
  expect(await running((asked) => own.askForOrder(asked), { submissionId, claimId })).toBe('exists');
  expect(await holdsOf(submissionId)).toEqual([{ holdId: 'h1', state: 'open' }]);
  const [order] =
    await db`select status, pharmacy_order_id from router.submission where id = ${submissionId}`;
  expect(order).toEqual({ status: 'submitted', pharmacyOrderId });
  const [told] = await db<[{ payload: string }]>`
    select payload from router.callback where submission_id = ${submissionId} and kind = 'update'
  `;
  expect(JSON.parse(told.payload)).toMatchObject({ status: 'submitted', pharmacyOrderId });
});
