import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { publishEvent } from '../../../db/outbox.js';
import { adminToken, callAs, eventually, freshTask, patientIn, sandbox } from '../../helpers/client.js';
import { callsTo, endedRun, ordersOf, runsOf } from '../../api/orchestrator/approvals.js';
import {
  activatedRequest,
  sendWebhook,
  settled,
  type WebhookAnswer,
  webhookOf,
} from '../../api/bridge/bridge.js';
import { newPatient } from '../../helpers/patients.js';
import { clearFaults, setFault } from '../faults.js';
import { dev, sql, stateDir, temporal } from '../faulty-system.js';

async function archive(emrPatientId: string): Promise<void> {
  const patientId = randomUUID();
  await sql.begin((sql) =>
    publishEvent(sql, 'patients', {
      detailType: 'patient.archived',
      aggregateId: patientId,
      detail: { patientId, emrPatientId, organizationId: randomUUID(), archivedAt: new Date().toISOString() },
    }),
  );
}
const patientInEmr = async (id: string) => {
  const response = await fetch(`${dev.emr.baseUrl}/Patient/${id}`, {
    headers: { authorization: `Bearer ${dev.emr.token}`, 'x-sandbox-bypass': '1' },
  });
  return (await response.json()) as { active?: boolean; meta: { versionId: string } };
};
const isInactive = async (id: string) => (await patientInEmr(id)).active === false;
interface Row {
  id: string;
  status: string;
  attempts: number;
  emrResponseStatus: number | null;
  lastError: string | null;
}
const rowOf = (emrPatientId: string, wanted: (row: Row) => boolean) =>
  eventually(async () => {
    const [row] = await sql<Row[]>`
      select id, status, attempts, emr_response_status, last_error from bridge.emr_sync_attempts
      where target_resource_id = ${emrPatientId}
    `;
    return row && wanted(row) && row;
  });
const status = (kind: number, rest: object = {}) => ({
  target: 'emr',
  kind: 'status' as const,
  status: kind,
  ...rest,
});

describe('bringing a change to the EMR', () => {
  /** Asked to wait 5 s, and ticked all the while. @returns how long after the refused call the EMR was asked again */
  async function waitedMs(meanwhile: () => void): Promise<number> {
    const { id } = await newPatient(dev);
    await setFault(dev, status(429, { retryAfterSeconds: 5, times: 1, about: id }));
    await archive(id);
    const row = await rowOf(id, ({ lastError }) => lastError !== null);
    expect(row).toMatchObject({ status: 'pending', attempts: 1, emrResponseStatus: 429 });
    const details = () => temporal.detailsOf(`emr-sync:${row.id}`);
    await eventually(async () => (await details()).includes('rate limit: the EMR answered 429'));
    meanwhile();
    const token = await adminToken(dev, {}, stateDir);
    const tick = { method: 'POST', path: '/admin/workers/emr-sync/tick' };
    await eventually(async () => {
      if (await isInactive(id)) return true;
      expect((await callAs(dev, 'bridge', token, tick)).status).toBe(200);
      return false;
    });
    expect(await rowOf(id, (row) => row.status === 'succeeded')).toMatchObject({ attempts: 2 });
    const calls = (await callsTo(dev, 'emr'))
      .filter(
        ({ path, headers }) => path.endsWith(`/Patient/${id}`) && headers['x-sandbox-bypass'] === undefined,
      )
      .reverse();
    const refused = calls.findIndex((call) => call.status === 429);
    const [from, to] = calls.slice(refused).map(({ at }) => Date.parse(at));
    return to! - from!;
  }
  const fiveSeconds = 5_000;

  test('asked to wait 5 s happens after 5 s and not before, whatever the ticks', async () => {
    expect(await waitedMs(() => undefined)).toBeGreaterThanOrEqual(fiveSeconds);
  });

  test('asked to wait 5 s is not hurried by a new worker either', async () => {
    const waited = await waitedMs(() => void process.kill(dev.pids.workers, 'SIGKILL'));
    expect(waited).toBeGreaterThanOrEqual(fiveSeconds);
  });

  test.each([500, 503])('answered %d is tried again until it has succeeded', async (code) => {
    const { id } = await newPatient(dev);
    await setFault(dev, status(code, { times: 2, about: id }));
    await archive(id);
    expect(await rowOf(id, (row) => row.status === 'succeeded')).toMatchObject({ attempts: 3 });
    expect(await isInactive(id)).toBe(true);
  });

  test.each([
    ['not found', 410],
    ['validation', 400],
    ['conflict', 409],
    ['auth', 403],
  ])('refused as %s (%d) is failed at once, and a retry revives it', async (errorClass, code) => {
    const { id } = await newPatient(dev);
    await setFault(dev, status(code, { operation: 'update', times: 1 }));
    await archive(id);
    const failed = await rowOf(id, (row) => row.status === 'failed');
    expect(failed).toMatchObject({
      attempts: 1,
      emrResponseStatus: code,
      lastError: `${errorClass}: the EMR answered ${code}`,
    });
    const token = await adminToken(dev, {}, stateDir);
    const path = `/emr-sync-attempts/${failed.id}/retry`;
    expect((await callAs(dev, 'bridge', token, { method: 'POST', path })).status).toBe(200);
    expect(await rowOf(id, (row) => row.status === 'succeeded')).toMatchObject({ attempts: 2 });
  });

  test('that met somebody else’s change is read afresh within the attempt, three times at most', async () => {
    const { id } = await newPatient(dev);
    await setFault(dev, status(412, { operation: 'update', times: 2 }));
    await archive(id);
    expect(await rowOf(id, (row) => row.status === 'succeeded')).toMatchObject({ attempts: 1 });

    const contested = await newPatient(dev);
    await setFault(dev, status(412, { operation: 'update', times: 3 }));
    await archive(contested.id);
    expect(await rowOf(contested.id, (row) => row.status === 'failed')).toMatchObject({
      attempts: 1,
      emrResponseStatus: 412,
      lastError: 'conflict: the EMR answered 412',
    });
  });

  test.each(['lost-answer', 'drop', 'hang'] as const)('whose write met %s is written once', async (kind) => {
    const { id } = await newPatient(dev);
    const before = await patientInEmr(id);
    await setFault(dev, { target: 'emr', operation: 'update', kind, times: 1 });
    await archive(id);
    expect(await rowOf(id, (row) => row.status === 'succeeded')).toMatchObject({ attempts: 2 });
    const after = await patientInEmr(id);
    expect([after.active, after.meta.versionId === before.meta.versionId]).toEqual([false, false]);
    const response = await fetch(`${dev.emr.baseUrl}/Patient/${id}/_history`, {
      headers: { authorization: `Bearer ${dev.emr.token}` },
    });
    expect(((await response.json()) as { entry: unknown[] }).entry).toHaveLength(2);
  });

  test('is found again within a minute when its run was ended from outside', async () => {
    const { id } = await newPatient(dev);
    await setFault(dev, status(503));
    await archive(id);
    const { id: attemptId } = await rowOf(id, ({ attempts }) => attempts >= 2);
    await temporal.client.workflow.getHandle(`emr-sync:${attemptId}`).terminate();
    await clearFaults(dev);
    // Moves the end of the wait into the past, since a sweep looks only for that, twice a minute.
    await sql`update bridge.emr_sync_attempts set next_attempt_at = now() - interval '1 minute' where id = ${attemptId}`;
    await rowOf(id, (row) => row.status === 'succeeded');
  });
});

describe('MedicationRequest.activated with AUTO_APPROVE_FROM_EMR', () => {
  const outcome = async (taskId: string) => {
    const rows = await sql<{ outcome: string }[]>`
      select outcome from orchestrator.emr_event where task_id = ${taskId}
    `;
    return rows.map((row) => row.outcome);
  };

  test('approves its task with what the request says, once, also when the EMR sends it twice', async () => {
    const taskId = freshTask();
    const webhook = activatedRequest(taskId, patientIn(dev, 'WA'));
    for (let times = 0; times < 2; times += 1)
      expect(await settled(sql, await sendWebhook(dev, webhook), 'orchestrator')).toBe('delivered');
    const run = await eventually(() => endedRun(dev, taskId));
    expect(run).toMatchObject({ status: 'completed', medication: 'semaglutide' });
    const [order, ...others] = await ordersOf(dev, taskId);
    expect([JSON.stringify(order?.body).includes('inject 20 units weekly'), others]).toEqual([true, []]);
    expect(await runsOf(dev, taskId)).toHaveLength(1);
    expect(await outcome(taskId)).toEqual(['approval_started', 'approval_started']);
  });

  const itemOf = async (taskId: string) => {
    const [item] = await sql<{ state: string; reason: string; answers: string[] }[]>`
      select state, reason, answers from orchestrator.work_item where kind = 'approval_failed' and fact = ${taskId}
    `;
    return item;
  };

  test.each<[string, string, object]>([
    ['an unknown medication', 'medication_unreadable', { medicationCodeableConcept: { text: 'water' } }],
    ['no patient', 'patient_unreadable', { subject: undefined }],
    ['a dose without a text', 'directions_unreadable', { dosageInstruction: [{ sequence: 1 }] }],
    ['a medication not to be given', 'do_not_perform', { doNotPerform: true }],
  ])('with %s starts nothing and opens a work item, until it is approved', async (_name, reason, over) => {
    const taskId = freshTask();
    const patient = patientIn(dev, 'WA');
    const webhook = activatedRequest(taskId, patient, { ...over });
    expect(await settled(sql, await sendWebhook(dev, webhook), 'orchestrator')).toBe('delivered');
    expect(await runsOf(dev, taskId)).toEqual([]);
    expect(await outcome(taskId)).toEqual(['recorded']);
    expect(await itemOf(taskId)).toEqual({ state: 'open', reason, answers: ['dismiss'] });

    const corrected = activatedRequest(taskId, patient, {
      subject: { reference: `Patient/${patient}/_history/1` },
      medicationCodeableConcept: undefined,
      medicationReference: { reference: '#m-1' },
      contained: [{ resourceType: 'Medication', id: 'm-1', code: { text: 'semaglutide' } }],
    });
    await settled(sql, await sendWebhook(dev, corrected), 'orchestrator');
    await eventually(async () => (await itemOf(taskId))?.state === 'closed');
    // It is approved now, so nobody needs to look at what the EMR sends later.
    await settled(
      sql,
      await sendWebhook(dev, activatedRequest(taskId, patient, { ...over })),
      'orchestrator',
    );
    expect(await itemOf(taskId)).toMatchObject({ state: 'closed' });
  });

  test('for a task that is approved with other details changes nothing and is recorded', async () => {
    const taskId = freshTask();
    const first = activatedRequest(taskId, patientIn(dev, 'WA'));
    await settled(sql, await sendWebhook(dev, first), 'orchestrator');
    const other = activatedRequest(taskId, patientIn(dev, 'TX'));
    expect(await settled(sql, await sendWebhook(dev, other), 'orchestrator')).toBe('delivered');
    expect((await outcome(taskId)).sort()).toEqual(['approval_started', 'recorded']);
    expect(await runsOf(dev, taskId)).toHaveLength(1);
  });
});

test('no patient of these tests stands in the clear in a workflow id', async () => {
  const { orders } = await sandbox<{ orders: unknown[] }>(dev, '/orders');
  expect(orders.length).toBeGreaterThan(0);
  const ids = await sql<{ id: string }[]>`select target_resource_id as id from bridge.emr_sync_attempts`;
  const workflowIds = await temporal.idsOf('WorkflowType != ""');
  for (const { id } of ids) expect(workflowIds.filter((workflowId) => workflowId.includes(id))).toEqual([]);
});

describe('an outside sink', () => {
  const deliveryOf = async ({ body }: WebhookAnswer) => {
    const [delivery] = await sql<{ state: string; attempts: number; lastError: string | null }[]>`
      select state, attempts, last_error
      from bridge.event_delivery
      join bridge.emr_webhook_events as webhook on webhook.dispatched_outbox_id = event_id
      where webhook.id = ${body['webhookEventId'] as string} and consumer = 'sink'
    `;
    return delivery;
  };

  test.each([404, 401, 302])('that answers %d for a while has the event once it is well', async (status) => {
    await setFault(dev, { target: 'events', kind: 'status', status });
    const webhook = await sendWebhook(dev, webhookOf('Appointment.booked'));
    await eventually(async () => {
      const delivery = await deliveryOf(webhook);
      return delivery?.lastError === `Event sink answered ${status}`;
    });
    expect(await deliveryOf(webhook)).toMatchObject({ state: 'pending' });
    await clearFaults(dev);
    expect(await settled(sql, webhook, 'sink')).toBe('delivered');
  });

  test('that answers 410 is not asked again', async () => {
    await setFault(dev, { target: 'events', kind: 'status', status: 410 });
    const webhook = await sendWebhook(dev, webhookOf('Appointment.booked'));
    expect(await settled(sql, webhook, 'sink')).toBe('dead');
    expect(await deliveryOf(webhook)).toEqual({
      state: 'dead',
      attempts: 1,
      lastError: 'Event sink answered 410',
    });
  });
});
