import { expect, test } from '@jest/globals';
import { atLength } from '../../helpers/at-length.js';
import { eventually, patientIn, sandbox } from '../../helpers/client.js';
import {
  allSteps,
  approve,
  approveAsync,
  callsTo,
  chargesOf,
  endedRun,
  ordersOf,
  semaglutideFor,
  shipmentsOf,
} from '../../api/orchestrator/approvals.js';
import { moveTo, newPatient, saveCard } from '../../helpers/patients.js';
import { faultsMet, setFault } from '../faults.js';
import { dev, sql } from '../faulty-system.js';
import { survivesOutage } from '../outages.js';

const signal = (child: 'workers' | 'api' | 'postgres', name: NodeJS.Signals) =>
  process.kill(dev.pids[child]!, name);

/** Long enough to stop the caller before the answer comes. */
const delayMs = 1_000;
/** The lookup of a charge before a second attempt would make it (D37). */
const lookup = 'paymentIntents.list';

/** By the process that asks the party: the first try of an order is the router's API's (D113). */
const effects = [
  ['workers', 'stripe', 'paymentIntents.create', 'WA', chargesOf],
  ['api', 'pharmacy_a', 'order', 'WA', ordersOf],
  ['api', 'pharmacy_b', 'order', 'TX', ordersOf],
  ['workers', 'shipping', 'create', 'NY', shipmentsOf],
] as const;

test.each(effects)(
  '%s killed after %s did its work and before it was reported: completed, with one effect of each kind',
  async (child, target, operation, state, effectsOf) => {
    const approval = semaglutideFor(patientIn(dev, state));
    await sandbox(dev, '/requests', { method: 'DELETE' });
    await setFault(dev, { target, operation, kind: 'delay', delayMs, times: 1 });
    await approveAsync(dev, approval);
    await faultsMet(dev);
    // Frozen, they cannot hear the answer that the effect below is followed by.
    signal(child, 'SIGSTOP');
    await eventually(async () => (await effectsOf(dev, approval.taskId)).length > 0);
    signal(child, 'SIGKILL');

    const run = await eventually(() => endedRun(dev, approval.taskId));
    expect(run).toMatchObject({ status: 'completed', completedSteps: allSteps, warnings: [] });
    expect(await ordersOf(dev, approval.taskId)).toHaveLength(1);
    expect(await chargesOf(dev, approval.taskId)).toHaveLength(1);
    expect(await shipmentsOf(dev, approval.taskId)).toHaveLength(state === 'NY' ? 1 : 0);

    // The effect was at risk: the party was asked again, once.
    const calls = (await callsTo(dev, target)).filter((call) => call.operation !== 'token');
    expect(calls.map((call) => call.operation)).toEqual([
      target === 'stripe' ? lookup : operation,
      operation,
    ]);
  },
);

test('workers killed while the patient is being told: completed without a warning, told under one key', async () => {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  await setFault(dev, { target: 'smtp', kind: 'delay', delayMs, times: 1 });
  const answer = approve(dev, approval);
  await faultsMet(dev);
  signal('workers', 'SIGKILL');

  const { status, body } = await answer;
  expect([status, body.result.warnings]).toEqual([200, []]);
  expect(await chargesOf(dev, approval.taskId)).toHaveLength(1);
  const told = await sql`select status from notification.delivery where recipient_email = ${patient.email}`;
  expect(told).toEqual([{ status: 'sent' }]);
});

test('an address that changes between a kill and the retry of step 4: what was handed over stays', async () => {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  await setFault(dev, { target: 'pharmacy_a', operation: 'order', kind: 'delay', delayMs, times: 1 });
  const answer = approve(dev, approval);
  await faultsMet(dev);
  signal('workers', 'SIGKILL');
  await moveTo(dev, patient, '99 Elm Street');

  const { status, body } = await answer;
  expect([status, body.result.warnings]).toEqual([200, []]);
  const handedOver = await sql<{ requestPayload: string }[]>`
    select request_payload from router.submission where source_order_id = ${approval.taskId}
  `;
  expect(handedOver.map(({ requestPayload }) => requestPayload.includes('18 Larch Lane'))).toEqual([true]);
  expect(await ordersOf(dev, approval.taskId)).toHaveLength(1);
});

test('an outage of Postgres in mid-run is waited out and uses up no budget', async () => {
  const approval = semaglutideFor(patientIn(dev, 'NY'));
  await setFault(dev, { target: 'pharmacy_a', kind: 'delay', delayMs, times: 1 });
  const answer = approve(dev, approval);
  await faultsMet(dev);
  // Killed as soon as it is started again, it stays away longer each time: three seconds in all.
  for (let kills = 0; kills < 5; kills += 1) {
    const killed = dev.pids.postgres;
    try {
      signal('postgres', 'SIGKILL');
    } catch {
      // Started while the one before was still ending, it has ended by itself.
    }
    await eventually(async () => dev.pids.postgres !== killed);
  }
  const { status, body } = await answer;
  expect([status, body.result.warnings]).toEqual([200, []]);
  expect(await ordersOf(dev, approval.taskId)).toHaveLength(1);
  expect(await chargesOf(dev, approval.taskId)).toHaveLength(1);
  expect(await shipmentsOf(dev, approval.taskId)).toHaveLength(1);
});

test.each([atLength(20, 60)])(
  'the APIs killed for %d s, before and after the pharmacy took the order: all completes, once and without a warning',
  (seconds) => survivesOutage(dev, seconds),
);
