import { expect, test } from '@jest/globals';
import { openWorkItem } from '../../db/work-items.js';
import { rxWith } from '../cli/rx.js';
import { adminToken, call, callAs, eventually, freshTask, patientIn, sandbox } from '../helpers/client.js';
import { inState } from '../helpers/prescription.js';
import { newPatient, saveCard } from '../helpers/patients.js';
import {
  approve,
  approveAsync,
  endedRun,
  semaglutideFor,
  submissionIdOf,
} from '../api/orchestrator/approvals.js';
import { atPharmacy, booked, refundsOf } from '../api/orchestrator/exceptions.js';
import { clearFaults, setFault } from './faults.js';
import { dev, sql, stateDir } from './faulty-system.js';

const rx = (...args: string[]) => rxWith({ SCRIPTRAIL_STATE_DIR: stateDir }, ...args);

/** How often each task was ordered and charged, by the books of the pharmacies and the processor. */
async function booksOf(taskIds: readonly string[]) {
  const [{ orders }, { charges }] = await Promise.all([
    sandbox<{ orders: { body: Record<string, unknown> }[] }>(dev, '/orders'),
    sandbox<{ charges: { status: string; metadata: Record<string, string> }[] }>(dev, '/charges'),
  ]);
  return taskIds.map((taskId) => ({
    orders: orders.filter(({ body }) => body['externalId'] === submissionIdOf(dev, taskId)).length,
    charges: charges.filter(
      ({ status, metadata }) => status === 'succeeded' && metadata['task_id'] === taskId,
    ).length,
  }));
}
const once = { orders: 1, charges: 1 };

test('200 approvals that an outage failed are recovered by one command while approvals go on, the workers killed half-way', async () => {
  const emrPatientId = patientIn(dev, 'WA');
  const failed = Array.from({ length: 200 }, () => freshTask());
  await setFault(dev, { target: 'emr', kind: 'status', status: 503 });
  for (const taskId of failed) await approveAsync(dev, { ...semaglutideFor(emrPatientId), taskId });
  for (const taskId of failed)
    expect((await eventually(() => endedRun(dev, taskId))).failedStep).toBe('patient_details');
  await clearFaults(dev);

  const recovering = rx('recover', '--step', 'patient_details', '--since', '2h', '--per-minute', '600');
  const over = { is: false };
  const recovered = recovering.finally(() => (over.is = true));
  const others: string[] = [];
  const approving = (async () => {
    while (!over.is) {
      const taskId = freshTask();
      others.push(taskId);
      expect((await approve(dev, { ...semaglutideFor(emrPatientId), taskId })).status).toBeLessThan(300);
    }
  })();
  await eventually(async () => (await booksOf(failed)).filter(({ orders }) => orders > 0).length >= 60);
  process.kill(dev.pids.workers, 'SIGKILL');

  const { exitCode, stdout } = await recovered;
  await approving;
  expect(stdout).toContain('200 failed at patient_details and are tried again.');
  expect([exitCode, stdout.split('\n').at(-2)]).toEqual([
    0,
    'completed: 200 of 200; 200 succeeded, 0 failed, 0 skipped.',
  ]);
  for (const taskId of others) await eventually(() => endedRun(dev, taskId));
  expect(await booksOf([...failed, ...others])).toEqual([...failed, ...others].map(() => once));
  // Asked for again, nothing is left.
  const again = await rx('recover', '--step', 'patient_details', '--since', '2h', '--dry-run');
  expect(again.stdout).toBe('0 failed at patient_details and would be tried again.\n');
}, 1_800_000);

test('a person who takes an order back, whose pharmacy says no only later, has the item back', async () => {
  const approval = semaglutideFor(patientIn(dev, 'WA'));
  const { taskId } = approval;
  expect((await approve(dev, approval)).status).toBe(200);
  const [order] = await booked(dev, taskId);
  await atPharmacy(dev, order!, 'cancellation', { answer: 'deny', reason: 'already-shipped' });
  const item = { kind: 'payment_unpaid' as const, fact: taskId };
  const references = { taskId, reference: taskId };
  await sql.begin((sql) =>
    openWorkItem(sql, 'orchestrator', { ...item, reason: 'card_declined', references }),
  );
  const own = async () =>
    (
      await sql<{ id: string; state: string }[]>`
      select id, state from orchestrator.work_item where kind = ${item.kind} and fact = ${taskId}
    `
    )[0]!;
  const { id } = await own();
  const token = await adminToken(dev, undefined, stateDir);
  await eventually(
    async () => (await callAs(dev, 'worklist', token, { path: `/v1/work-items/${id}` })).status === 200,
  );
  await setFault(dev, { target: 'pharmacy_a', operation: 'cancel', kind: 'status', status: 503 });
  await callAs(dev, 'worklist', token, {
    ...{ method: 'POST', path: `/v1/work-items/${id}/answer`, body: { answer: 'cancel' } },
  });
  await eventually(async () => (await own()).state === 'closed');
  await clearFaults(dev);
  await eventually(async () => (await own()).state === 'open');
  expect((await refundsOf(dev, taskId)).length).toBe(0);
});

interface StuckRun {
  workflowId: string;
  step: string;
  since: string;
  nextTryAt: string | null;
}

test('forty cancellations at a pharmacy that is down, and a charge in doubt, are stuck after five minutes, and off the list once it is back', async () => {
  const beganAt = Date.now();
  const orders = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const submit = { key: 'clinic', method: 'POST', path: '/rx/prescriptions/submit', body: inState('WA') };
      return (await call<{ submissionId: string }>(dev, 'router', submit)).body.submissionId;
    }),
  );
  await setFault(dev, { target: 'pharmacy_a', operation: 'cancel', kind: 'status', status: 503 });
  const lost = {
    target: 'stripe',
    operation: 'paymentIntents.create',
    kind: 'lost-answer',
    times: 1,
  } as const;
  await setFault(dev, lost);
  await setFault(dev, { target: 'stripe', operation: 'paymentIntents.list', kind: 'status', status: 503 });
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).body.result.warnings).toEqual(['payment_failed']);
  await Promise.all(
    orders.map((id) =>
      call(dev, 'router', { key: 'clinic', method: 'POST', path: `/rx/prescriptions/${id}/cancel` }),
    ),
  );

  const listed = async () => JSON.parse((await rx('stuck', '--json')).stdout) as StuckRun[];
  const slowly = <T>(look: () => Promise<T>) =>
    new Promise((resolve) => setTimeout(resolve, 5_000)).then(look);
  const stuck = await eventually(() =>
    slowly(async () => {
      const runs = await listed();
      return runs.length === orders.length + 1 && runs;
    }),
  );
  expect(Date.now() - beganAt).toBeGreaterThan(5 * 60_000);
  const steps = (step: string) => stuck.filter((run) => run.step === step);
  expect(
    steps('cancelOrder')
      .map(({ workflowId }) => workflowId)
      .sort(),
  ).toEqual(orders.map((id) => `cancellation:${id}`).sort());
  expect(steps('findCharge')).toHaveLength(1);
  for (const { since, nextTryAt } of stuck) {
    expect(Date.parse(since)).toBeGreaterThan(beganAt);
    expect(Date.parse(since)).toBeLessThan(Date.now() - 4.9 * 60_000);
    expect(Date.parse(nextTryAt ?? '')).toBeGreaterThan(Date.parse(since));
  }
  // The same in the Web UI.
  const query = encodeURIComponent('RxStuck is not null and ExecutionStatus = "Running"');
  const ui = await fetch(
    `${dev.temporal.ui}/api/v1/namespaces/${dev.temporal.namespace}/workflows?query=${query}`,
  );
  const { executions } = (await ui.json()) as {
    executions: { searchAttributes: { indexedFields: Record<string, unknown> } }[];
  };
  expect(executions).toHaveLength(orders.length + 1);
  expect(Object.keys(executions[0]!.searchAttributes.indexedFields)).toEqual(
    expect.arrayContaining(['RxStuck', 'RxStuckSince']),
  );

  await clearFaults(dev);
  await eventually(() => slowly(async () => (await listed()).length === 0));
  const { orders: books } = await sandbox<{ orders: { body: Record<string, unknown>; moves: unknown[] }[] }>(
    dev,
    '/orders',
  );
  const own = books.filter(({ body }) => orders.includes(String(body['externalId'])));
  expect(own.map(({ moves }) => moves.length)).toEqual(orders.map(() => 1));
}, 1_200_000);
