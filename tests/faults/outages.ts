import type { DevJson } from '../../dev/dev-json.js';
import { eventually } from '../helpers/client.js';
import {
  allSteps,
  approveAsync,
  callsTo,
  chargesOf,
  endedRun,
  messagesTo,
  ordersOf,
  semaglutideFor,
} from '../api/orchestrator/approvals.js';
import { newPatient, saveCard, type TestPatient } from '../helpers/patients.js';
import { expect } from '@jest/globals';
import { clearFaults, faultsMet, setFault } from './faults.js';

interface Approval {
  taskId: string;
  emrPatientId: string;
  patient: TestPatient;
}

/** A patient with a card, whose approval is under way. */
export async function approvalIn(dev: DevJson, state: string): Promise<Approval> {
  const patient = await newPatient(dev, state);
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  await approveAsync(dev, approval);
  return { taskId: approval.taskId, emrPatientId: patient.id, patient };
}

/** Kills the APIs whenever they are back, for so long. */
export async function keepAway(dev: DevJson, seconds: number): Promise<void> {
  const endsAt = Date.now() + seconds * 1_000;
  while (Date.now() < endsAt) {
    const killed = dev.pids['api'];
    process.kill(killed, 'SIGKILL');
    await eventually(async () => dev.pids['api'] !== killed || Date.now() >= endsAt);
  }
}

/** Takes the APIs away before step 4 of one approval, and of another just after the pharmacy has taken its order. */
export async function survivesOutage(dev: DevJson, seconds: number): Promise<void> {
  await setFault(dev, { target: 'pharmacy_a', operation: 'order', kind: 'delay', delayMs: 2_000, times: 1 });
  const ordered = await approvalIn(dev, 'WA');
  await faultsMet(dev);
  await setFault(dev, { target: 'emr', operation: 'read', kind: 'delay', delayMs: 2_500, times: 1 });
  const begun = await approvalIn(dev, 'NY');
  await keepAway(dev, seconds);
  await clearFaults(dev);
  for (const { taskId, patient } of [ordered, begun]) {
    const run = await eventually(() => endedRun(dev, taskId));
    expect(run).toMatchObject({ status: 'completed', completedSteps: allSteps, warnings: [] });
    expect(await ordersOf(dev, taskId)).toHaveLength(1);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
    const mails = (await messagesTo(dev, patient)).filter(({ channel }) => channel === 'email');
    expect(mails).toHaveLength(1);
  }
}

/** The requests of a kind that the shipping service has taken for an order. */
export async function shipmentsOf(dev: DevJson, submissionId: string, kind: 'label' | 'tracking') {
  const calls = await callsTo(dev, 'shipping');
  return calls.filter(({ body }) => body['reference'] === submissionId && body['kind'] === kind);
}
