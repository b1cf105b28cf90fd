import { expect, test } from '@jest/globals';
import { openWorkItem } from '../../../db/work-items.js';
import { rxWith } from '../../cli/rx.js';
import { atLength } from '../../helpers/at-length.js';
import { adminToken, callAs, eventually, freshTask, patientIn, sandbox } from '../../helpers/client.js';
import {
  approve,
  approveAsync,
  endedRun,
  semaglutideFor,
  submissionIdOf,
} from '../../api/orchestrator/approvals.js';
import { atPharmacy, booked, refundsOf } from '../../api/orchestrator/exceptions.js';
import { clearFaults, setFault } from '../faults.js';
import { dev, sql, stateDir } from '../faulty-system.js';

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

/** Enough for the workers to die half-way. */
const count = atLength(50, 200);

test('approvals that an outage failed are recovered by one command while approvals go on, the workers killed half-way', async () => {
  const emrPatientId = patientIn(dev, 'WA');
  const failed = Array.from({ length: count }, () => freshTask());
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
  await eventually(
    async () => (await booksOf(failed)).filter(({ orders }) => orders > 0).length >= count / 3,
  );
  process.kill(dev.pids.workers, 'SIGKILL');

  const { exitCode, stdout } = await recovered;
  await approving;
  expect(stdout).toContain(`${count} failed at patient_details and are retried.`);
  expect([exitCode, stdout.split('\n').at(-2)]).toEqual([
    0,
    `completed: ${count} of ${count}; ${count} succeeded, 0 failed, 0 skipped.`,
  ]);
  for (const taskId of others) await eventually(() => endedRun(dev, taskId));
  expect(await booksOf([...failed, ...others])).toEqual([...failed, ...others].map(() => once));
  // Asked for again, nothing is left.
  const again = await rx('recover', '--step', 'patient_details', '--since', '2h', '--dry-run');
  expect(again.stdout).toBe('0 failed at patient_details and would be retried.\n');
}, 1_800_000);

test.each([
  ['takes an order back', 'payment_unpaid', { answer: 'cancel' }],
  ['moves an order', 'approval_failed', { answer: 'reroute', data: { pharmacy: 'pharmacy_b' } }],
] as const)(
  'a person who %s, whose pharmacy says no only later, has the item back',
  async (_what, kind, body) => {
    const approval = semaglutideFor(patientIn(dev, 'WA'));
    const { taskId } = approval;
    expect((await approve(dev, approval)).status).toBe(200);
    const [order] = await booked(dev, taskId);
    await atPharmacy(dev, order!, 'cancellation', { answer: 'deny', reason: 'already-shipped' });
    const item = { kind, fact: taskId };
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
      method: 'POST',
      path: `/v1/work-items/${id}/answer`,
      body,
    });
    await eventually(async () => (await own()).state === 'closed');
    await clearFaults(dev);
    await eventually(async () => (await own()).state === 'open');
    expect((await refundsOf(dev, taskId)).length).toBe(0);
  },
);
