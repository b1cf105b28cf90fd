import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeCursor } from '../../../api/cursor.js';
import { createSql, type Sql } from '../../../db/client.js';
import type { Run } from '../../../db/orchestrator/runs.js';
import { type Answer, atOnce, call, eventually, freshTask, patientIn, shared } from '../../helpers/client.js';
import { approve, callsTo, chargesOf, runsOf, semaglutideFor } from './approvals.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { rx } from '../../cli/rx.js';

const dev = shared();
/** The price of semaglutide in cents. */
const listPrice = 29_900;

let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

interface RunsAnswer {
  runs: (Omit<Run, 'createdAt'> & { createdAt: string })[];
  nextCursor: string | null;
}
const runs = (query = '', key?: string): Promise<Answer<RunsAnswer>> =>
  call(dev, 'orchestrator', { path: `/orchestrator/runs${query}`, ...(key && { key }) });

interface PaymentAnswer {
  payment: { status: string; amountCents: number; currency: string };
}
const retry = (taskId: string, key?: string): Promise<Answer<PaymentAnswer>> => {
  const path = `/orchestrator/payments/${encodeURIComponent(taskId)}/retry`;
  return call(dev, 'orchestrator', { method: 'POST', path, ...(key && { key }) });
};

/** A task of a fresh patient whose card was declined. */
async function declined() {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient, { card: 'pm_card_chargeCustomerFail' });
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).body.result.warnings).toEqual(['payment_failed']);
  return { taskId: approval.taskId, patient };
}

describe('GET /orchestrator/runs', () => {
  test('200 with what status says of a run, and who asked for it, newest first', async () => {
    const [first, second] = [semaglutideFor('nobody'), semaglutideFor('nobody')];
    await approve(dev, first);
    await approve(dev, second);
    const { status, body } = await runs('?limit=200');
    expect(status).toBe(200);
    const positions = [second, first].map(({ taskId }) =>
      body.runs.findIndex((run) => run.taskId === taskId),
    );
    expect(positions[0]).toBeGreaterThanOrEqual(0);
    expect(positions[1]).toBeGreaterThan(positions[0]!);
    const [shown] = await runsOf(dev, second.taskId);
    // The task's page tells the fate of its order.
    expect({ ...body.runs[positions[0]!], cancellation: null, replacements: [] }).toEqual({
      ...shown,
      requestedBy: dev.apiKeys['approvals']!.key,
    });
    const times = body.runs.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('200 by pages that miss and repeat none', async () => {
    const made: string[] = [];
    const from = new Date().toISOString();
    for (let count = 0; count < 5; count += 1) {
      const approval = semaglutideFor('nobody');
      made.push(approval.taskId);
    }
    // At once: runs of the same millisecond have their order too.
    await Promise.all(made.map((taskId) => approve(dev, { ...semaglutideFor('nobody'), taskId })));
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next: Answer<RunsAnswer> = await runs(
        `?from=${from}&status=failed&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(next.body.runs.length).toBeLessThanOrEqual(2);
      seen.push(...next.body.runs.map(({ taskId }) => taskId));
      cursor = next.body.nextCursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(made));
  });

  test('200 with those of a status, a warning, a time', async () => {
    const from = new Date().toISOString();
    const warned = semaglutideFor(patientIn(dev, 'OH', null));
    const failed = semaglutideFor('nobody');
    await approve(dev, warned);
    await approve(dev, failed);
    const to = new Date(Date.now() + 1_000).toISOString();
    const found = async (query: string) => {
      const { body } = await runs(`?limit=200&${query}`);
      return [warned, failed].map(({ taskId }) => body.runs.some((run) => run.taskId === taskId));
    };
    expect(await found('status=completed')).toEqual([true, false]);
    expect(await found('status=failed')).toEqual([false, true]);
    expect(await found('status=denied')).toEqual([false, false]);
    expect(await found('warning=payment_failed')).toEqual([true, false]);
    expect(await found('warning=shipment_failed')).toEqual([false, false]);
    expect(await found(`from=${from}&to=${to}`)).toEqual([true, true]);
    expect(await found(`to=${from}`)).toEqual([false, false]);
    expect(await found(`from=${encodeURIComponent('2099-01-01T00:00:00+02:00')}`)).toEqual([false, false]);
  });

  test.each([
    '?status=done',
    `?cursor=${encodeCursor({ createdAt: '0000-01-01T00:00:00Z', id: randomUUID() })}`,
  ])('400: %s', async (query) => {
    const { status, body } = await runs(query);
    expect([status, body]).toMatchObject([400, { error: 'Validation failed' }]);
  });
});

test('A cursor with a NUL is 400', async () => {
  const cursor = encodeCursor({ openedAt: '2026-01-01T00:00:00Z', reference: '\0' });
  const path = `/orchestrator/payment-recoveries?cursor=${cursor}`;
  expect((await call(dev, 'orchestrator', { key: 'admin', path })).status).toBe(400);
});

describe('POST /orchestrator/payments/:taskId/retry', () => {
  test('200: with a new card the next charge goes through under the next number', async () => {
    const { taskId, patient } = await declined();
    await saveCard(dev, patient);
    const { status, body } = await retry(taskId);
    expect([status, body]).toEqual([
      200,
      { payment: { status: 'succeeded', amountCents: listPrice, currency: 'usd' } },
    ]);
    expect(await chargesOf(dev, taskId)).toMatchObject([
      { amountCents: listPrice, metadata: { charge_key: `charge:${taskId}:2` } },
    ]);
  });

  test('200 with status failed when it is declined again, and every try has a number of its own', async () => {
    const { taskId } = await declined();
    for (let tries = 0; tries < 2; tries += 1)
      expect((await retry(taskId)).body.payment).toMatchObject({ status: 'failed' });
    const keys = (await callsTo(dev, 'stripe')).map(({ headers }) => headers['idempotency-key'] ?? '');
    const ours = keys.filter((key) => key.startsWith(`charge:${taskId}:`)).sort();
    expect(ours).toEqual([1, 2, 3].map((n) => `charge:${taskId}:${n}`));
    expect(await chargesOf(dev, taskId)).toEqual([]);
  });

  test('200 with status failed for a patient without a card; with one, it is charged under the first number', async () => {
    const patient = await newPatient(dev, 'WA');
    const { taskId } = { ...semaglutideFor(patient.id) };
    await approve(dev, { ...semaglutideFor(patient.id), taskId });
    expect((await retry(taskId)).body.payment).toEqual({
      status: 'failed',
      amountCents: listPrice,
      currency: 'usd',
    });
    await saveCard(dev, patient, { couponId: 'TENOFF' });
    expect((await retry(taskId)).body.payment).toMatchObject({
      status: 'succeeded',
      amountCents: listPrice - 1_000,
    });
    expect(await chargesOf(dev, taskId)).toMatchObject([{ metadata: { charge_key: `charge:${taskId}:1` } }]);
  });

  test('200: what the processor refused is charged once the amount agreed on is put right', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient, { amountCents: 100_000_000 });
    const approval = semaglutideFor(patient.id);
    await approve(dev, approval);
    await saveCard(dev, patient, { amountCents: 20_000 });
    expect((await retry(approval.taskId)).body.payment).toMatchObject({
      status: 'succeeded',
      amountCents: 20_000,
    });
  });

  test('200: a charge that may have been made under this number before is looked for, not made again', async () => {
    const approval = semaglutideFor(patientIn(dev, 'WA'));
    const { taskId } = approval;
    await approve(dev, approval);
    await sql`
      update orchestrator.payment set
        status = 'failed', payment_intent_id = null, reason = 'the charge never reached the processor'
      where task_id = ${taskId}
    `;
    expect((await retry(taskId)).body.payment).toMatchObject({ status: 'succeeded' });
    const creates = (await callsTo(dev, 'stripe')).filter(
      ({ headers }) => headers['idempotency-key'] === `charge:${taskId}:1`,
    );
    expect(creates).toHaveLength(1);
  });

  test('of ten at once one charges, the others have its answer or 409', async () => {
    const { taskId, patient } = await declined();
    await saveCard(dev, patient);
    const answers = await atOnce(10, () => retry(taskId));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    for (const { status, body } of answers)
      if (status === 200) expect(body.payment.status).toBe('succeeded');
      else expect(status).toBe(409);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
  });

  test.each([
    ['succeeded', 'WA'],
    ['pending', 'OH'],
  ])('409 when the payment is %s', async (state, patientState) => {
    const approval = semaglutideFor(patientIn(dev, patientState));
    await approve(dev, approval);
    await sql`update orchestrator.payment set status = ${state} where task_id = ${approval.taskId}`;
    const { status, body } = await retry(approval.taskId);
    expect([status, body]).toEqual([409, { error: `Payment is ${state}` }]);
    expect(await chargesOf(dev, approval.taskId)).toHaveLength(1);
  });

  test("200 for a schedule's task: the newest refill is charged", async () => {
    const patient = await newPatient(dev, 'WA');
    const [scheduleId, runId] = [randomUUID(), randomUUID()];
    const [task, reference] = [`refill-${scheduleId}`, `refill-${scheduleId}-2`];
    await saveCard(dev, patient);
    await sql`
      insert into orchestrator.run (id, task_id, workflow_id, medication, emr_patient_id, status)
      values (${runId}, ${task}, ${`refill:${scheduleId}:2`}, 'semaglutide', ${patient.id}, 'completed')
    `;
    await sql`
      insert into orchestrator.task (task_id, kind, state, details_hash, run_id)
      values (${reference}, 'refill', 'completed', '', ${runId})
    `;
    await sql`
      insert into orchestrator.payment (task_id, emr_patient_id, amount_cents, status, created_at)
      values (${`${task}-1`}, ${patient.id}, 1, 'succeeded', now() - interval '1 day'),
        (${reference}, ${patient.id}, 1, 'failed', now())
    `;
    expect((await retry(task)).body.payment).toMatchObject({ status: 'succeeded', amountCents: listPrice });
    expect(await chargesOf(dev, reference)).toMatchObject([
      { metadata: { charge_key: `charge:${reference}:1` } },
    ]);
  });

  test('404 for a task that is unknown, was denied, or failed before it was to be paid', async () => {
    const notFound = [404, { error: 'No payment found for this task' }];
    const [denied, failed] = [freshTask(), semaglutideFor('nobody')];
    await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/deny', body: { taskId: denied } });
    await approve(dev, failed);
    for (const taskId of [freshTask(), denied, failed.taskId, 'refill-', 'a/b']) {
      const { status, body } = await retry(taskId);
      expect([status, body]).toEqual(notFound);
    }
  });

  test('rx payments retry says what came of it, and rx runs finds the run by its warning', async () => {
    const { taskId, patient } = await declined();
    const again = await rx('payments', 'retry', taskId);
    expect([again.exitCode, again.stdout]).toEqual([1, 'failed: 299.00 USD\n']);
    const listed = await rx('runs', '--warning', 'payment_failed', '--json');
    expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({ taskId }));
    await saveCard(dev, patient);
    expect(await rx('payments', 'retry', taskId)).toMatchObject({
      exitCode: 0,
      stdout: 'succeeded: 299.00 USD\n',
    });
    expect((await rx('payments', 'retry', taskId)).exitCode).not.toBe(0);
  });
});

describe('the log of downstream calls', () => {
  const callsOf = (workflowId: string) => sql<Record<string, unknown>[]>`
    select type, resource, method, status, success, error, duration_ms
    from orchestrator.downstream_call
    where run_workflow_id = ${workflowId}
    order by id
  `;

  test('has every call of a run with its outcome, and nothing about the patient', async () => {
    const patient = await newPatient(dev, 'NY');
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    await approve(dev, approval);
    const calls = await eventually(async () => {
      const found = await callsOf(`approval:${approval.taskId}`);
      return found.length >= 6 && found;
    });
    expect(calls.map(({ resource, method, status, success }) => [resource, method, status, success])).toEqual(
      expect.arrayContaining([
        ['Patient', 'GET', 200, true],
        ['route', 'GET', 200, true],
        ['prescription', 'POST', 201, true],
        ['payment_intents', 'POST', 200, true],
        ['shipment', 'POST', 201, true],
        ['notification', 'POST', 200, true],
      ]),
    );
    const text = JSON.stringify(calls);
    for (const secret of [patient.id, patient.email, patient.phone, patient.name.split(' ')[1]!, 'Larch'])
      expect(text).not.toContain(secret);
  });

  test('has the ones that failed, and why', async () => {
    const nobody = `nobody-${randomUUID()}`;
    const approval = semaglutideFor(nobody);
    await approve(dev, approval);
    const calls = await eventually(async () => {
      const found = await callsOf(`approval:${approval.taskId}`);
      return found.length > 0 && found;
    });
    expect(calls).toMatchObject([{ resource: 'Patient', method: 'GET', status: 404, success: false }]);
    expect(JSON.stringify(calls)).not.toContain(nobody);
  });
});
