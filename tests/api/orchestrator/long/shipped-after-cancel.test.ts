import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createSql } from '../../../../db/client.js';
import { takeProcessorEvent } from '../../../../db/orchestrator/processor-events.js';
import { reportShippedAfterCancel } from '../../../../db/orchestrator/shipped-after-cancel.js';
import { openWorkItem } from '../../../../db/work-items.js';
import { taskKey } from '../../../../domain/clients.js';
import { chargeAgainReference } from '../../../../domain/orchestrator/shipments.js';
import { adminToken, atOnce, call, callAs, eventually, freshTask, shared } from '../../../helpers/client.js';
import { newPatient, saveCard } from '../../../helpers/patients.js';
import { approve, chargesOf, semaglutideFor, submissionIdOf } from '../approvals.js';
import { booked, cancel, refundsOf } from '../exceptions.js';

const dev = shared();
const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
afterAll(() => sql.end());

interface Item {
  id: string;
  kind: string;
  state: string;
  references: object;
  answers: string[];
  openedAt: string;
  dueAt: string;
  closedBy: string | null;
  message: string;
}
const desk = async <T>(path: string, body?: unknown) =>
  callAs<T>(dev, 'worklist', await adminToken(dev), {
    method: body === undefined ? 'GET' : 'POST',
    path: `/v1/work-items${path}`,
    body,
  });
const itemsOf = async (taskId: string): Promise<Item[]> => {
  const path = `?kind=shipped_after_cancel&taskId=${encodeURIComponent(taskId)}&limit=200`;
  return (await desk<{ workItems: Item[] }>(path)).body.workItems;
};
const itemOf = (taskId: string) => eventually(async () => (await itemsOf(taskId))[0]);

/** A task whose order was cancelled. */
async function cancelled(card: 'card' | 'none' = 'card') {
  const patient = await newPatient(dev, 'WA');
  if (card === 'card') await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).status).toBe(200);
  const { taskId } = approval;
  const [order] = await booked(dev, taskId);
  expect((await cancel(dev, { taskId, reason: 'Prescribed twice.' })).status).toBe(200);
  const report = async (rxStatus: string, more: object = {}) => {
    const { status } = await fetch(`${dev.services.router}/rx/webhooks/pharmacy_a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-secret': dev.webhookSecrets.pharmacy_a },
      body: JSON.stringify({ caseId: order!.orderId, rxStatus, ...more }),
    });
    expect(status).toBe(200);
  };
  return { patient, taskId, report };
}
const answer = (id: string, given: string) =>
  desk<{ workItem: Item; message: string }>(`/${id}/answer`, { answer: given });
const againOf = (taskId: string) => chargesOf(dev, `shipped-after-cancel:${submissionIdOf(dev, taskId)}`);

describe('an order that its pharmacy sends after it cancelled it (D155)', () => {
  test.each(['shipped', 'delivered'])('%s opens one work item, due in an hour', async (status) => {
    const { taskId, report } = await cancelled('none');
    await report(status, { trackingNumber: '1Z9' });
    const item = await itemOf(taskId);
    expect(item).toMatchObject({
      state: 'open',
      reason: status,
      references: { taskId, submissionId: submissionIdOf(dev, taskId) },
      answers: ['dismiss', 'charge_again'],
    });
    expect(Date.parse(item.dueAt) - Date.parse(item.openedAt)).toBe(3_600_000);
    expect(item.references).toEqual({ taskId, submissionId: submissionIdOf(dev, taskId) });

    const refused = await answer(item.id, 'charge_again');
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ error: 'conflict', message: 'Nothing was refunded' }),
    ]);
    expect((await answer(item.id, 'dismiss')).status).toBe(200);
    // A person has decided: the pharmacy's next word of the same parcel opens nothing.
    await report('delivered');
    const handled = await eventually(async () => {
      const rows = await sql<{ state: string }[]>`
        select state from router.event_delivery
        join router.outbox on outbox.id = event_id
        where detail_type = 'order.shipped_after_cancel' and outbox.aggregate_id = ${submissionIdOf(dev, taskId)}
      `;
      return rows.length === 2 && rows.every(({ state }) => state === 'delivered') && rows;
    });
    expect(handled).toHaveLength(2);
    expect((await itemsOf(taskId)).map(({ state }) => state)).toEqual(['closed']);
  });

  test('charge_again takes what was refunded, once, and refunds nothing of it', async () => {
    const { taskId, report } = await cancelled();
    expect(await refundsOf(dev, taskId)).toMatchObject([{ amountCents: 29_900 }]);
    await report('shipped', { trackingNumber: '1Z9' });
    const { id } = await itemOf(taskId);
    const answers = await atOnce(5, () => answer(id, 'charge_again'));
    expect(answers.map(({ status }) => status)).toContain(200);
    const closed = await eventually(async () => {
      const [item] = await itemsOf(taskId);
      return item?.state === 'closed' && item;
    });
    expect(closed).toMatchObject({ answer: 'charge_again' });
    expect(await againOf(taskId)).toMatchObject([{ amountCents: 29_900, status: 'succeeded' }]);
    expect(await refundsOf(dev, taskId)).toHaveLength(1);
    const reference = `shipped-after-cancel:${submissionIdOf(dev, taskId)}`;
    expect(
      await sql`select amount_cents, status, refunded_cents from orchestrator.payment where task_id = ${reference}`,
    ).toEqual([{ amountCents: 29_900, status: 'succeeded', refundedCents: 0 }]);
    const told = await eventually(async () => {
      const path = `/orchestrator/events?taskId=${encodeURIComponent(taskId)}&types=payment.*`;
      const { events } = (await call<{ events: { type: string }[] }>(dev, 'orchestrator', { path })).body;
      return events.length >= 3 && events.map(({ type }) => type);
    });
    expect(told).toEqual(['payment.succeeded', 'payment.refunded', 'payment.succeeded']);
  });

  test('charge_again of two orders of a moved task takes what was refunded once', async () => {
    const { taskId } = await cancelled();
    const moved = `${taskId}#2`;
    await sql`
      insert into orchestrator.order_reference (reference, task_id, n, state) values (${moved}, ${taskId}, 2, 'freed')
    `;
    const submissionIds = [submissionIdOf(dev, taskId), randomUUID()];
    for (const [index, sourceOrderId] of [taskId, moved].entries()) {
      const sent = { taskId, sourceOrderId, submissionId: submissionIds[index]!, status: 'shipped' } as const;
      await sql.begin((sql) => reportShippedAfterCancel(sql, sent));
    }
    const items = await eventually(async () => {
      const items = await itemsOf(taskId);
      return items.length === 2 && items;
    });
    const answers = await Promise.all(items.map(({ id }) => answer(id, 'charge_again')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [open] = items.filter((_item, index) => answers[index]?.status === 409);
    const again = await answer(open!.id, 'charge_again');
    expect([again.status, again.body.message]).toEqual([
      409,
      'The refund was charged again for another order',
    ]);
    const charged = await Promise.all(submissionIds.map((id) => chargesOf(dev, chargeAgainReference(id))));
    expect(charged.flat()).toMatchObject([{ amountCents: 29_900 }]);
  });

  test('A dispute of the charge names the task and the client of the order', async () => {
    const [own, submissionId, paymentIntentId] = [freshTask(), randomUUID(), `pi_${randomUUID()}`];
    const taskId = taskKey('acme', own);
    const references = { taskId, submissionId };
    const sent = { kind: 'shipped_after_cancel', fact: taskId, reason: 'shipped', references } as const;
    await openWorkItem(sql, 'orchestrator', sent);
    const reference = chargeAgainReference(submissionId);
    await sql`
      insert into orchestrator.payment (task_id, emr_patient_id, amount_cents, status, payment_intent_id)
      values (${reference}, 'nobody', 29900, 'succeeded', ${paymentIntentId})
    `;
    const disputeId = `dp_${own}`;
    const news = { kind: 'disputed', disputeId, reason: 'fraudulent', paymentIntentId, mark: null } as const;
    await takeProcessorEvent(sql, { id: randomUUID(), type: 'test', news }, { receipts: false });
    expect(
      await sql`select client, type from orchestrator.client_event where client = 'acme' and task_id = ${own}`,
    ).toEqual([{ client: 'acme', type: 'payment.disputed' }]);
    const [item] = await sql`
      select refers_to from orchestrator.work_item where kind = 'charge_disputed' and fact = ${disputeId}
    `;
    expect(item).toEqual({ refersTo: { taskId, reference, client: 'acme' } });
  });

  test('A declined charge leaves the item open, sends no reminder, and the next answer tries again', async () => {
    const { patient, taskId, report } = await cancelled();
    await saveCard(dev, patient, { card: 'pm_card_chargeCustomerFail' });
    await report('shipped');
    const { id } = await itemOf(taskId);
    const declined = await answer(id, 'charge_again');
    expect([declined.status, declined.body.message]).toEqual([409, 'The charge failed']);
    const reference = `shipped-after-cancel:${submissionIdOf(dev, taskId)}`;
    expect(await sql`select from orchestrator.payment_recovery where reference = ${reference}`).toHaveLength(
      0,
    );
    expect((await itemsOf(taskId)).map(({ state }) => state)).toEqual(['open']);
    await saveCard(dev, patient);
    expect((await answer(id, 'charge_again')).status).toBe(200);
    expect(await againOf(taskId)).toMatchObject([{ amountCents: 29_900 }]);
  });
});
