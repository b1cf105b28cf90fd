import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { adminToken, call, callAs, eventually, sandbox } from '../../helpers/client.js';
import { approve, semaglutideFor } from '../../api/orchestrator/approvals.js';
import { newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
import { newIntake, postIntake } from '../../api/intake/intakes.js';
import { codeSentTo, visit } from '../../api/intake/visitors.js';
import { findCanaries } from '../canary-search.js';
import { clearFaults, setFault } from '../faults.js';
import { collector, dev, searchEverything, sql, stateDir, temporal } from '../faulty-system.js';

searchEverything();

/** One unmistakable value per field; ids are added as they are made. */
const canaries: Record<string, string> = {
  firstName: 'Zephyrine',
  lastName: 'Quobbleworth',
  birthDate: '1913-07-19',
  email: 'zq.canary@umberhollow.test',
  phone: '+15005559917',
  line1: '7719 Umberhollow Crescent',
  line2: 'Belfry Xyzzyquux',
  city: 'Fjordlingham',
  zip: '13202-7719',
  dosage: 'inject seven plumbuses at noon',
  unknownPatient: `canary-${randomUUID()}`,
};
/** An address in another state; the street and the rest stay. */
const home = (state: string) => ({
  use: 'home' as const,
  line: [canaries['line1']!, canaries['line2']!],
  city: canaries['city']!,
  state,
  postalCode: canaries['zip']!,
});

async function canaryPatient(
  state: string,
  without: 'nothing' | 'address' = 'nothing',
): Promise<TestPatient> {
  const patient = await newPatient(dev, state, (complete) => ({
    ...complete,
    name: [{ use: 'official', given: [canaries['firstName']!], family: canaries['lastName']! }],
    telecom: [
      { system: 'email', value: canaries['email']! },
      { system: 'phone', value: canaries['phone']!, use: 'mobile' },
    ],
    birthDate: canaries['birthDate']!,
    address: without === 'address' ? [] : [home(state)],
  }));
  canaries[`emrId${Object.keys(canaries).length}`] = patient.id;
  return { ...patient, name: `${canaries['firstName']} ${canaries['lastName']}`, email: canaries['email']! };
}
const approvalOf = (emrPatientId: string) => ({
  ...semaglutideFor(emrPatientId),
  dosage: canaries['dosage']!,
});

/** From the verified address to the saved card. */
async function intakeFlow(): Promise<void> {
  const email = canaries['email']!;
  await visit(dev, '/verify-email/send', { email });
  const code = await codeSentTo(dev, email);
  expect((await visit(dev, '/verify-email/check', { email, code })).body).toMatchObject({
    verified: true,
  });
  const { line1, line2, city, zip, firstName, lastName, phone } = canaries;
  const address = { line1, line2, city, state: 'NY', zip };
  const dob = canaries['birthDate']!.replace(/^(\d+)-(.*)$/, '$2-$1');
  const intake = await newIntake(dev, { firstName, lastName, dob, email, phone, address });
  const { status, body } = await postIntake(dev, intake);
  expect(status).toBe(200);
  const card = { submissionId: body.submissionId, paymentMethodId: 'pm_card_visa' };
  expect((await visit(dev, '/save-payment-info', card)).status).toBe(200);
}

/** Every flow with the canaries in it: one that goes well and one for each way of failing. */
async function everyFlow(): Promise<string[]> {
  await intakeFlow();
  const inNy = await canaryPatient('NY');
  const inTx = await canaryPatient('TX');
  const declined = await canaryPatient('WA');
  await saveCard(dev, inNy);
  await saveCard(dev, declined, { card: 'pm_card_chargeCustomerFail' });
  const taskIds: string[] = [];
  const run = async (emrPatientId: string, status: number) => {
    const approval = approvalOf(emrPatientId);
    taskIds.push(approval.taskId);
    expect([emrPatientId, (await approve(dev, approval)).status]).toEqual([emrPatientId, status]);
    return approval;
  };
  const whole = await run(inNy.id, 200);
  expect((await approve(dev, { ...whole, dosage: `${whole.dosage} and after` })).status).toBe(409);
  await run(inTx.id, 200);
  await run(declined.id, 200);
  await run((await canaryPatient('CA')).id, 500);
  await run((await canaryPatient('NY', 'address')).id, 500);
  await run(canaries['unknownPatient']!, 500);
  expect((await approve(dev, { ...whole, taskId: '' })).status).toBe(400);
  const notification = {
    type: 'nothing',
    recipient: { email: canaries['email'], phone: 'x' },
    variables: {},
  };
  const sent = await call(dev, 'notification', {
    key: 'notifier',
    method: 'POST',
    path: '/notify/send',
    body: notification,
  });
  expect(sent.status).toBe(400);

  const faulty = async (fault: Parameters<typeof setFault>[1], emrPatientId: string, status: number) => {
    await setFault(dev, fault);
    await run(emrPatientId, status);
    await clearFaults(dev);
  };
  await faulty({ target: 'emr', operation: 'read', kind: 'status', status: 401 }, inNy.id, 500);
  await faulty({ target: 'pharmacy_a', kind: 'status', status: 422 }, inNy.id, 500);
  await faulty({ target: 'pharmacy_b', operation: 'order', kind: 'lost-answer' }, inTx.id, 500);
  await faulty({ target: 'stripe', kind: 'status', status: 503 }, inNy.id, 200);
  await faulty({ target: 'shipping', kind: 'status', status: 400 }, inNy.id, 200);
  await faulty({ target: 'smtp', kind: 'status', status: 550 }, inNy.id, 200);
  await faulty({ target: 'twilio', kind: 'status', status: 400 }, inNy.id, 200);
  return taskIds;
}

/** Everything that a coordinator asks and does at the desk about one order; also in vain. */
async function deskFlow(taskId: string, emrPatientId: string): Promise<void> {
  const token = await adminToken(dev, {}, stateDir);
  const get = (path: string) => callAs(dev, 'worklist', token, { path });
  const searched = [...Object.values(canaries), emrPatientId, taskId];
  for (const q of searched)
    expect((await get(`/v1/search?${new URLSearchParams({ q }).toString()}`)).status).toBe(200);
  expect((await get(`/v1/search?q=${encodeURIComponent(`${canaries['email']!}\u0000`)}`)).status).toBe(400);
  const { body: found } = await get(
    `/v1/search?${new URLSearchParams({ q: canaries['email']! }).toString()}`,
  );
  expect(JSON.stringify(found)).toContain(taskId);
  expect((await get('/v1/months/2026-01')).status).toBe(200);
  expect((await get(`/v1/timeline/${taskId}`)).status).toBe(200);

  const path = `/v1/orders/${taskId}`;
  const act = async (action: string, data = {}) => {
    const body = { action, data, note: 'The patient called' };
    return (await callAs(dev, 'worklist', token, { method: 'POST', path: `${path}/actions`, body })).status;
  };
  const order = await get(path);
  expect(JSON.stringify(order.body)).toContain(canaries['lastName']);
  const { line1: addressLine1, line2: addressLine2, city, zip } = canaries;
  const shipTo = { addressLine1, addressLine2, city, state: 'NY', zip };
  expect(await act('ship_to', { shipTo })).toBe(200);
  expect(await act('ship_to', { shipTo: { ...shipTo, zip: canaries['phone'] } })).toBe(400);
  for (const action of ['send_again', 'skip', 'pause', 'resume', 'stop_refills'])
    expect([action, await act(action)]).toEqual([action, 200]);
  expect(await act('replace', { reason: 'lost', paidBy: 'company', shipTo })).toBe(409);
  expect(await act('refund', { amountCents: 100 })).toBe(200);
  expect(await act('reroute', { pharmacy: 'pharmacy_c' })).toBeLessThan(503);
  expect(await act('cancel')).toBeLessThan(300);
  const { body: items } = await callAs<{ workItems: { id: string }[] }>(dev, 'worklist', token, {
    path: '/v1/work-items?limit=100',
  });
  for (const { id } of items.workItems) expect((await get(`/v1/work-items/${id}`)).status).toBe(200);
}

describe('a patient whose every field is a canary, after every flow', () => {
  let taskIds: string[];
  beforeAll(async () => {
    taskIds = await everyFlow();
    const atDesk = await canaryPatient('NY');
    await saveCard(dev, atDesk);
    const approval = approvalOf(atDesk.id);
    expect((await approve(dev, approval)).status).toBe(200);
    await deskFlow(approval.taskId, atDesk.id);
  });

  const folder = (name: string) => join(stateDir, name);

  test('the search finds what is there: values outside, also hidden in base64 and UTF-16; tasks in Temporal', () => {
    const outside = findCanaries(canaries, { folder: folder('sandbox') });
    for (const field of Object.keys(canaries)) expect(outside.join('\n')).toContain(`: ${field}`);
    const value = canaries['line1']!;
    for (const padding of ['', 'x', 'xy']) {
      const text = Buffer.from(`${padding}"${value}"`).toString('base64');
      expect(findCanaries({ value }, { text })).toHaveLength(1);
    }
    expect(findCanaries({ value }, { text: Buffer.from(value, 'utf16le').toString('latin1') })).toHaveLength(
      1,
    );
    const tasks = Object.fromEntries(taskIds.map((taskId) => [taskId, taskId]));
    const inTemporal = findCanaries(tasks, { folder: folder('temporal') }).join('\n');
    for (const taskId of taskIds) expect(inTemporal).toContain(taskId);
  });

  test('none but the ids is in an address that somebody outside was asked under', async () => {
    const { requests } = await sandbox<{ requests: { target: string; operation: string; path: string }[] }>(
      dev,
      '/requests?limit=1000',
    );
    expect(requests.map(({ target, operation }) => `${target} ${operation}`)).toEqual(
      expect.arrayContaining(['stripe customers.search', 'stripe paymentIntents.create', 'emr create']),
    );
    const personal = Object.fromEntries(
      Object.entries(canaries).filter(([field]) => !/^emrId|^unknownPatient$/.test(field)),
    );
    const text = requests.map(({ path }) => decodeURIComponent(path)).join('\n');
    expect(findCanaries(personal, { text })).toEqual([]);
  });

  test("none is in Temporal's database files", () => {
    expect(readdirSync(folder('temporal'))).toEqual(
      expect.arrayContaining(['temporal.db', 'temporal.db-wal']),
    );
    expect(findCanaries(canaries, { folder: folder('temporal') })).toEqual([]);
  });

  test("none but the EMR's ids is in the worklist's tables, and none is in an access event", async () => {
    const personal = Object.fromEntries(
      Object.entries(canaries).filter(([field]) => !/^emrId|^unknownPatient$/.test(field)),
    );
    const tables = await sql<{ name: string }[]>`
      select table_schema || '.' || table_name as name from information_schema.tables
      where table_schema = 'worklist' or table_name = 'access_event'
    `;
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['worklist.order_history', 'worklist.work_item', 'access.access_event']),
    );
    for (const { name } of tables) {
      const rows = await sql<{ row: string }[]>`select whole::text as row from ${sql(name)} whole`;
      const text = rows.map(({ row }) => row).join('\n');
      expect([name, findCanaries(name.startsWith('access') ? canaries : personal, { text })]).toEqual([
        name,
        [],
      ]);
    }
    const [asked] = await sql`select count(*)::int as n from worklist.order_history`;
    expect(asked!['n']).toBeGreaterThan(7);
  });

  test('none is in any log, though everything is logged', () => {
    expect(readdirSync(folder('logs'))).toEqual(
      expect.arrayContaining(['api.log', 'workers.log', 'temporal.log']),
    );
    const logged = { route: '/orchestrator/approve' };
    expect(findCanaries(logged, { folder: folder('logs') })).not.toEqual([]);
    expect(findCanaries(canaries, { folder: folder('logs') })).toEqual([]);
  });

  test('none is in the metrics of any process, which count all of it', async () => {
    for (const health of Object.values(dev.health)) {
      const metrics = await (await fetch(`${health}/metrics`)).text();
      expect(metrics).toContain('scriptrail_');
      expect(findCanaries(canaries, { text: metrics })).toEqual([]);
    }
    const workers = await (await fetch(`${dev.health.workers}/metrics`)).text();
    expect(workers).toMatch(/^scriptrail_approvals_total\{.*outcome="completed".*\} [1-9]/m);
  });

  test('none is in a span, and a trace leads from the approval to every call outside', async () => {
    const traceId = randomUUID().replaceAll('-', '');
    const patient = await canaryPatient('NY');
    await saveCard(dev, patient);
    const approval = approvalOf(patient.id);
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    expect((await approve(dev, approval, { headers })).status).toBe(200);
    const expected = [
      'POST /orchestrator/approve',
      'start approvePrescription',
      'recordOutcome',
      'EMR GET Patient',
      'POST /rx/prescriptions/submit',
      'pharmacy_a POST',
      'Payment processor POST payment_intents',
      'POST /notify/send',
      'Mail server',
    ];
    const named = await eventually(async () => {
      const names = collector.spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
      return expected.every((name) => names.includes(name)) && names;
    });
    expect(named).toEqual(expect.arrayContaining(expected));
    expect(findCanaries(canaries, { text: collector.text() })).toEqual([]);

    const { memo } = await temporal.client.workflow.getHandle(`approval:${approval.taskId}`).describe();
    expect(memo).toMatchObject({ traceId });
    const lines = readFileSync(join(folder('logs'), 'api.log'), 'utf8').split('\n');
    const logged = lines.filter((line) => line.includes(traceId)).join('\n');
    for (const service of ['orchestrator', 'router', 'notification'])
      expect(logged).toContain(`"service":"${service}"`);
  });

  test('none is in what can be read of any workflow without the keys', async () => {
    const { namespace } = dev.temporal;
    const executions = await eventually(async () => {
      const listed = await temporal.client.workflowService.listWorkflowExecutions({
        namespace,
        pageSize: 1_000,
      });
      const text = JSON.stringify(listed.executions);
      return taskIds.every((taskId) => text.includes(`"approval:${taskId}"`)) && text;
    });
    expect(findCanaries(canaries, { text: executions })).toEqual([]);
  });

  test('none is in a summary or in static details, which more people read than payloads', async () => {
    const texts: string[] = [];
    for await (const { workflowId } of temporal.client.workflow.list()) {
      const { staticDetails, staticSummary } = await temporal.client.workflow
        .getHandle(workflowId)
        .describe();
      texts.push(`${workflowId} ${await staticSummary()} ${await staticDetails()}`);
    }
    expect(texts.filter((text) => text.includes('Approve semaglutide'))).not.toEqual([]);
    expect(findCanaries(canaries, { text: texts.join('\n') })).toEqual([]);
  });
});
