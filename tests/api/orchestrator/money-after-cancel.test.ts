import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Queryable, type Sql } from '../../../db/client.js';
import { settleHeld } from '../../../db/orchestrator/payment-attempts.js';
import { listUnrefunded } from '../../../db/orchestrator/refunds.js';
import { freshTask, shared } from '../../helpers/client.js';

let sql: Sql;
beforeAll(() => {
  sql = createSql(shared().databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

/** Nothing of it stays, so no sweep acts on it. */
async function undone(work: (sql: Queryable) => Promise<void>): Promise<void> {
  const undo = new Error('undo');
  await sql
    .begin(async (sql) => {
      await work(sql);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
}

type Cancelled = 'task' | 'replacement';
interface Charge {
  status: 'pending' | 'succeeded' | 'failed';
  refundedCents: number;
}
interface Item {
  state: 'open' | 'closed';
  answer: string | null;
}
const cancelledAt = new Date();
const before = new Date(cancelledAt.getTime() - 1_000);
const after = new Date(cancelledAt.getTime() + 1_000);

async function cancelled(sql: Queryable, what: Cancelled, { status, refundedCents }: Charge) {
  const taskId = freshTask();
  await sql`
    insert into orchestrator.task (task_id, kind, state, details_hash, run_id, cancelled_at)
    values (${taskId}, 'approve', 'completed', '', ${randomUUID()}, ${what === 'task' ? cancelledAt : null})
  `;
  const reference = what === 'task' ? taskId : `${taskId}~1`;
  if (what === 'replacement')
    await sql`
      insert into orchestrator.replacement
        (reference, task_id, run_id, n, reason, paid_by, pharmacy, source_submission_id, state, running_since)
      values (${reference}, ${taskId}, ${randomUUID()}, 1, 'lost', 'patient', 'pharmacy_a', ${randomUUID()}, 'cancelled', null)
    `;
  await sql`
    insert into orchestrator.payment (task_id, emr_patient_id, amount_cents, status, refunded_cents)
    values (${reference}, 'nobody', 29900, ${status}, ${refundedCents})
  `;
  return reference;
}

const openItem = (sql: Queryable, reference: string, { state, answer }: Item, closedAt = after) => sql`
  insert into orchestrator.work_item (kind, fact, reason, title, refers_to, answers, state, answer, closed_by, due_at, closed_at)
  values ('refund_failed', ${reference}, 'refused', 'A refund was rejected', '{}', '{retry,dismiss}', ${state}, ${answer},
    ${state === 'open' ? null : 'kim@example.test'}, now(), ${state === 'open' ? null : closedAt})
`;

const isSwept = async (sql: Queryable, reference: string) =>
  (await listUnrefunded(sql, { after: reference.slice(0, -1), limit: 1_000 })).some(
    (due) => due.reference === reference,
  );

const whats: Cancelled[] = ['task', 'replacement'];
const owed: Charge[] = [
  { status: 'pending', refundedCents: 0 },
  { status: 'succeeded', refundedCents: 0 },
  { status: 'succeeded', refundedCents: 5_000 },
];
const items: (Item | null)[] = [
  null,
  { state: 'open', answer: null },
  { state: 'closed', answer: 'retry' },
  { state: 'closed', answer: null },
  { state: 'closed', answer: 'dismiss' },
];
const states = whats.flatMap((what) =>
  owed.flatMap((charge) => items.map((item) => [what, charge, item] as const)),
);

test.each(states)(
  'the money of a cancelled %s is looked for by the sweep or a person: %j, item %j',
  async (what, charge, item) => {
    await undone(async (sql) => {
      const reference = await cancelled(sql, what, charge);
      if (item) await openItem(sql, reference, item);
      const isAPersons = item?.state === 'open' || item?.answer === 'dismiss';
      expect(await isSwept(sql, reference)).toBe(!isAPersons);
    });
  },
);

test('a dismissal before the cancellation is no answer about the rest of the charge', async () => {
  await undone(async (sql) => {
    const reference = await cancelled(sql, 'task', { status: 'succeeded', refundedCents: 0 });
    await openItem(sql, reference, { state: 'closed', answer: 'dismiss' }, before);
    expect(await isSwept(sql, reference)).toBe(true);
  });
});

test.each(whats)(
  'nothing of a cancelled %s is looked for that was returned or never charged',
  async (what) => {
    for (const charge of [
      { status: 'succeeded', refundedCents: 29_900 },
      { status: 'failed', refundedCents: 0 },
    ] as const)
      await undone(async (sql) => {
        expect(await isSwept(sql, await cancelled(sql, what, charge))).toBe(false);
      });
  },
);

test.each(whats.flatMap((what) => (['pending', 'failed'] as const).map((status) => [what, status] as const)))(
  'a success of a cancelled %s that was %s asks for its refund at once',
  async (what, status) => {
    await undone(async (sql) => {
      const taskId = await cancelled(sql, what, { status, refundedCents: 0 });
      const paid = {
        taskId,
        attempt: 1,
        status: 'succeeded' as const,
        paymentIntentId: 'pi_late',
        reason: null,
      };
      await settleHeld(sql, paid, { receipts: false });
      const due = await sql`
      select from orchestrator.outbox where detail_type = 'payment.refund_due' and detail ->> 'reference' = ${taskId}
    `;
      expect(due).toHaveLength(1);
      expect(await isSwept(sql, taskId)).toBe(true);
    });
  },
);
