import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadSecrets } from '../../../dev/start/secrets.js';
import { eventually, patientIn, sandbox } from '../../helpers/client.js';
import {
  allSteps,
  approve,
  approveAsync,
  callsTo,
  chargesOf,
  endedRun,
  ordersOf,
  runsOf,
  semaglutideFor,
  shipmentsOf,
} from '../../api/orchestrator/approvals.js';
import { clearFaults, faultsMet, setFault } from '../faults.js';
import { dev, sql, stateDir, temporal } from '../faulty-system.js';
import { newPatient } from '../../helpers/patients.js';

/** An approval whose run was ended from outside before the tests, so that its record closes while they run. */
let terminated: Awaited<ReturnType<typeof terminateInStep2>>;
beforeAll(async () => {
  terminated = await terminateInStep2();
});

const approvalIn = (state: string) => semaglutideFor(patientIn(dev, state));
async function terminateInStep2() {
  await setFault(dev, { target: 'emr', operation: 'read', kind: 'hang', times: 1 });
  const approval = approvalIn('WA');
  await approveAsync(dev, approval);
  await faultsMet(dev);
  await temporal.client.workflow.getHandle(`approval:${approval.taskId}`).terminate();
  return approval;
}
const create = { target: 'stripe', operation: 'paymentIntents.create' };

describe('an answer that is lost', () => {
  test.each([
    ['pharmacy_a', 'order', 'WA'],
    ['pharmacy_b', 'order', 'TX'],
    ['stripe', 'paymentIntents.create', 'WA'],
    ['shipping', 'create', 'NY'],
  ])('of %s: one effect of each kind, and no warning', async (target, operation, state) => {
    await setFault(dev, { target, operation, kind: 'lost-answer', times: 1 });
    const approval = approvalIn(state);
    const { status, body } = await approve(dev, approval);
    expect([status, body.result.warnings]).toEqual([200, []]);
    await faultsMet(dev);
    expect(await ordersOf(dev, approval.taskId)).toHaveLength(1);
    expect(await chargesOf(dev, approval.taskId)).toHaveLength(1);
    expect(await shipmentsOf(dev, approval.taskId)).toHaveLength(state === 'NY' ? 1 : 0);
  });

  test('really puts an effect at risk: a caller with a new key for each try gets two orders', async () => {
    await approve(dev, approvalIn('WA'));
    const [template] = await callsTo(dev, 'pharmacy_a');
    const body = JSON.stringify({ ...template!.body, externalId: randomUUID() });
    const place = () =>
      fetch(`${dev.sandbox}/pharmacy-a/orders`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': loadSecrets(stateDir).pharmacyAApiKey,
          'idempotency-key': randomUUID(),
        },
        body,
      });
    await setFault(dev, { target: 'pharmacy_a', kind: 'lost-answer', times: 1 });
    await expect(place()).rejects.toThrow();
    expect((await place()).status).toBe(201);
    const { orders } = await sandbox<{ orders: { body: unknown }[] }>(dev, '/orders');
    expect(orders.filter((order) => JSON.stringify(order.body) === body)).toHaveLength(2);
  });
});

describe('a processor that gives no verdict within the budget', () => {
  const paymentOf = async (taskId: string) => {
    const [row] = await sql`select status, attempt from orchestrator.payment where task_id = ${taskId}`;
    return row;
  };
  const settling = (taskId: string) => temporal.statusOf(`settle-payment:approval:${taskId}:1`);

  test('but charged: payment_failed and pending, then settled as succeeded by settlePayment, with one charge', async () => {
    await setFault(dev, { ...create, kind: 'lost-answer' });
    await setFault(dev, { target: 'stripe', operation: 'paymentIntents.list', kind: 'status', status: 503 });
    const approval = approvalIn('WA');
    const { status, body } = await approve(dev, approval);
    expect([status, body.result.warnings]).toEqual([200, ['payment_failed']]);
    expect(await paymentOf(approval.taskId)).toEqual({ status: 'pending', attempt: 1 });
    expect(await settling(approval.taskId)).toBe('RUNNING');

    await clearFaults(dev);
    await eventually(async () => (await paymentOf(approval.taskId))?.['status'] === 'succeeded');
    expect(await chargesOf(dev, approval.taskId)).toHaveLength(1);
    expect(await eventually(async () => (await settling(approval.taskId)) !== 'RUNNING')).toBe(true);
  });

  test('and a run that is terminated meanwhile: the next one finds the charge and makes no second', async () => {
    await setFault(dev, { ...create, kind: 'lost-answer', times: 1 });
    await setFault(dev, { target: 'stripe', operation: 'paymentIntents.list', kind: 'hang' });
    const approval = approvalIn('WA');
    const { taskId } = approval;
    await approveAsync(dev, approval);
    await eventually(async () => (await chargesOf(dev, taskId)).length > 0);
    await temporal.client.workflow.getHandle(`approval:${taskId}`).terminate();
    await clearFaults(dev);
    expect(await paymentOf(taskId)).toEqual({ status: 'pending', attempt: 1 });

    const { status, body } = await approve(dev, approval);
    expect([status, body.result.warnings]).toEqual([200, []]);
    expect(await paymentOf(taskId)).toEqual({ status: 'succeeded', attempt: 1 });
    const creates = (await callsTo(dev, 'stripe')).filter(
      ({ headers }) => headers['idempotency-key'] === `charge:${taskId}:1`,
    );
    expect(creates).toHaveLength(1);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
  });

  test('because it hangs: payment_failed after three calls, pending, and settlePayment waits without charging', async () => {
    await setFault(dev, { ...create, kind: 'hang' });
    const approval = approvalIn('WA');
    const { body } = await approve(dev, approval);
    expect(body.result).toMatchObject({ warnings: ['payment_failed'], completedSteps: allSteps });
    expect(await paymentOf(approval.taskId)).toEqual({ status: 'pending', attempt: 1 });
    expect(await settling(approval.taskId)).toBe('RUNNING');
    expect(await chargesOf(dev, approval.taskId)).toEqual([]);
    const calls = await callsTo(dev, 'stripe');
    const key = `charge:${approval.taskId}:1`;
    expect(calls.filter(({ headers }) => headers['idempotency-key'] === key)).toHaveLength(3);
    const details = await temporal.detailsOf(`approval:${approval.taskId}`);
    expect(details).toContain('Payment processor did not answer within');
  });
});

describe('a run that takes its time', () => {
  test('is pending in status from the start, with completedSteps growing; other details meanwhile are 409', async () => {
    for (const target of ['pharmacy_a', 'stripe', 'smtp'])
      await setFault(dev, { target, kind: 'delay', delayMs: 2_000 });
    const approval = approvalIn('NY');
    const { body } = await approveAsync(dev, approval);
    expect(body.runId).toBeDefined();
    const other = await approve(dev, { ...approval, medication: 'nad' });
    expect([other.status, other.body]).toEqual([
      409,
      { error: 'Task already approved with different details' },
    ]);

    const seen: string[][] = [];
    const ended = await eventually(async () => {
      const [run] = await runsOf(dev, approval.taskId);
      if (run !== undefined && run.completedSteps.length !== seen.at(-1)?.length)
        seen.push(run.completedSteps);
      return run?.status !== 'pending' && run;
    });
    for (const steps of seen) expect(steps).toEqual(allSteps.slice(0, steps.length));
    // While no worker replies within a second, the record answers, which has the first step (D33).
    const lengths = seen.map(({ length }) => length).filter((length) => length > 1);
    expect(lengths).toEqual([...lengths].sort());
    // A look may take longer than a step.
    expect(lengths.length).toBeGreaterThan(2);
    expect(lengths.at(-1)).toBe(7);
    expect(ended).toMatchObject({ id: body.runId, status: 'completed', completedSteps: allSteps });
  });
});

describe('a run that waits for the EMR', () => {
  const read = { target: 'emr', operation: 'read' };
  const waiting = (taskId: string) =>
    eventually(async () => {
      const [run] = await runsOf(dev, taskId);
      return run !== undefined && run.completedSteps.length > 0 && run;
    });

  test('shows step 1 as done', async () => {
    await setFault(dev, { ...read, kind: 'status', status: 503 });
    const approval = approvalIn('WA');
    await approveAsync(dev, approval);
    expect(await waiting(approval.taskId)).toMatchObject({
      status: 'pending',
      completedSteps: ['medication_config'],
    });
    await clearFaults(dev);
    expect(await eventually(() => endedRun(dev, approval.taskId))).toMatchObject({ status: 'completed' });
  });

  test('and is terminated: who waits for it gets 500 with the step it stood at', async () => {
    await setFault(dev, { ...read, kind: 'hang' });
    const approval = approvalIn('WA');
    const answer = approve(dev, approval);
    await waiting(approval.taskId);
    await temporal.client.workflow.getHandle(`approval:${approval.taskId}`).terminate();
    const { status, body } = await answer;
    const [error, failedStep] = ['Terminated by an operator', 'patient_details'];
    expect([status, body]).toEqual([
      500,
      {
        error,
        failedStep,
        result: {
          success: false,
          completedSteps: ['medication_config'],
          failedStep,
          error,
          warnings: [],
          medication: 'Semaglutide 5mg/mL',
          patientName: '',
          state: '',
        },
      },
    ]);
  });
});

describe('an outside party that fails', () => {
  test.each([
    ['shipping', 'shipment_failed', { status: 422 }],
    ['shipping', 'shipment_failed', { status: 503 }],
    ['stripe', 'payment_failed', { status: 401 }],
  ])('%s: 200 with the warning %s alone (%j)', async (target, warning, how) => {
    await setFault(dev, { target, kind: 'status', ...how });
    const approval = approvalIn('NY');
    const { status, body } = await approve(dev, approval);
    expect([status, body.result.warnings, body.result.completedSteps]).toEqual([200, [warning], allSteps]);
    expect(await ordersOf(dev, approval.taskId)).toHaveLength(1);
  });

  test.each([
    [503, 4],
    [401, 1],
  ])('the EMR with %d: 500 at step 2 after %d calls', async (status, calls) => {
    // Nobody else's: what an approval before left to be done would read it too.
    const { id: emrPatientId } = await newPatient(dev);
    const callsFor = async () =>
      (await sandbox<{ requests: { path: string }[] }>(dev, '/requests?target=emr')).requests.filter(
        ({ path }) => path.endsWith(`/${emrPatientId}`),
      ).length;
    const before = await callsFor();
    await setFault(dev, { target: 'emr', operation: 'read', kind: 'status', status });
    const answer = await approve(dev, semaglutideFor(emrPatientId));
    expect([answer.status, answer.body.error, answer.body.failedStep]).toEqual([
      500,
      `EMR answered ${status}`,
      'patient_details',
    ]);
    expect((await callsFor()) - before).toBe(calls);
  });

  test('the EMR that comes back in time: 200', async () => {
    await setFault(dev, { target: 'emr', operation: 'read', kind: 'drop', times: 2 });
    const approval = approvalIn('WA');
    expect((await approve(dev, approval)).body.result.warnings).toEqual([]);
    expect(await endedRun(dev, approval.taskId)).toMatchObject({ status: 'completed' });
  });
});

describe('a run that an operator terminates', () => {
  test('is failed, `Terminated by an operator`; other details are accepted then', async () => {
    const approval = terminated;
    const run = await eventually(() => endedRun(dev, approval.taskId));
    expect(run).toMatchObject({ status: 'failed', error: 'Terminated by an operator', result: null });
    const { status } = await approve(dev, {
      ...approval,
      dosage: 'half as much',
      emrPatientId: patientIn(dev, 'TX'),
    });
    expect(status).toBe(200);
    expect(await runsOf(dev, approval.taskId)).toMatchObject([{ status: 'completed' }, { status: 'failed' }]);
  });
});
