import { expect, test } from '@jest/globals';
import { approve, semaglutideFor } from '../../tests/api/orchestrator/approvals.js';
import { rxWith } from '../../tests/cli/rx.js';
import { clearFaults, setFault } from '../../tests/faults/faults.js';
import { dev, stateDir } from '../../tests/faults/faulty-system.js';
import { call, eventually, sandbox } from '../../tests/helpers/client.js';
import { newPatient, saveCard } from '../../tests/helpers/patients.js';
import { inState } from '../../tests/helpers/prescription.js';
import { startReceiver } from '../../tests/helpers/receiver.js';

const rx = (...args: string[]) => rxWith({ SCRIPTRAIL_STATE_DIR: stateDir }, ...args);

interface StuckRun {
  workflowId: string;
  step: string;
  since: string;
  nextTryAt: string | null;
}

test('forty cancellations at a pharmacy that is down, and a charge in doubt, are stuck after five minutes, and off the list once it is back', async () => {
  const beganAt = Date.now();
  const receiver = await startReceiver(() => 200);
  const orders = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const body = { ...inState('WA'), callbackUrl: receiver.url };
      const submit = { key: 'clinic', method: 'POST', path: '/rx/prescriptions/submit', body };
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
  // The Web UI shows the same.
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
  await receiver.stop();
}, 1_800_000);
