import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import type { PatientRow } from '../../../../domain/patients/patient-directory.js';
import { keptOutside, leftByAddress } from '../../../../domain/retention/erasures.js';
import { rx } from '../../../cli/rx.js';
import { type Answer, adminToken, call, callAs, eventually, shared } from '../../../helpers/client.js';
import { openTemporal } from '../../../helpers/temporal-view.js';
import { prescription } from '../../../helpers/prescription.js';
import { sendWebhook, webhookOf } from '../../bridge/bridge.js';
import { newIntake, postIntake } from '../../intake/intakes.js';
import { visit } from '../../intake/visitors.js';
import { approve, runsOf, semaglutideFor } from '../../orchestrator/approvals.js';
import { schedulesAt } from '../../orchestrator/refills.js';
import { booked } from '../../orchestrator/exceptions.js';
import { replace, shipAt } from '../../orchestrator/replacements.js';
import { newDirectoryPatient } from '../directory.js';

const dev = shared();
let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 })));
afterAll(() => sql.end());

interface Erasure {
  id: string;
  state: string;
  patientId: string;
  details: string;
}
type ErasureAnswer = Answer<{ erasure: Erasure; error: string; message: string }>;
const asSuperadmin = async (method: string, path: string): Promise<ErasureAnswer> =>
  callAs(dev, 'patients', await adminToken(dev), { method, path: `/v1${path}` });
const erase = (patientId: string) => asSuperadmin('POST', `/patients/${patientId}/erase`);
const erased = (id: string) =>
  eventually(async () => {
    const { body } = await asSuperadmin('GET', `/erasures/${id}`);
    return body.erasure.state === 'completed' && body.erasure;
  });

const mark = randomUUID().slice(0, 8);
/** One unmistakable value per field. */
const canaries = {
  firstName: `Zephyrine${mark}`,
  lastName: `Quobbleworth${mark}`,
  dob: '1911-11-23',
  intakeDob: '11-23-1911',
  email: `zq.${mark}@umberhollow.test`,
  phone: `+1202${randomInt(2_000_000, 10_000_000)}`,
  line1: `7719 Umberhollow ${mark}`,
  line2: `Belfry Xyzzyquux ${mark}`,
  city: `Fjordlingham${mark}`,
  zip: '13202-7719',
  dosage: `inject seven plumbuses ${mark}`,
  answer: `dreams of ${mark}`,
  agent: `Browser-of-${mark}`,
};

/** In which columns' tables any of the values stands, as text or as bytes: of every table of every schema. */
async function tablesWithCanaries(): Promise<string[]> {
  const patternsOf = (values: string[]) =>
    [...values, ...values.map((value) => Buffer.from(value).toString('hex'))].map((value) => `%${value}%`);
  const { agent: _adminsOwn, ...others } = canaries;
  const tables = await sql<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    order by 1, 2
  `;
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const table = `${schema}.${name}`;
    // Access events keep what the admin's own program calls itself (D88).
    const patterns = patternsOf(Object.values(schema === 'access' ? others : canaries));
    const rows = await sql`select 1 from ${sql(table)} as row where row::text ilike any(${patterns}) limit 1`;
    if (rows.length > 0) found.push(table);
  }
  return found;
}

const { firstName, lastName, dob, email, phone, line1, line2, city, zip } = canaries;
const address = { line1, line2, city, state: 'NY', zip };

/** A patient who leaves the values wherever the APIs take them, and is archived in the end. */
async function everywhere() {
  const headers = { 'user-agent': canaries.agent };
  const intake = {
    intakeType: 'glp-1',
    submittedAt: '2026-11-01T09:30:00.000Z',
    payload: { firstName, lastName, dob, email, phone, address, answer: canaries.answer },
  };
  const demographics = { firstName, lastName, dob, gender: 'female', phone, address };
  const { ask, patient } = await newDirectoryPatient(dev, { contactEmail: email, demographics, intake });
  const own = `/patients/${patient.id}`;
  expect((await ask('POST', `${own}/intake-snapshots`, intake, headers)).status).toBe(201);
  expect((await ask('PATCH', own, { legacy_mrn: 'L-1' })).status).toBe(200);

  const publicIntake = await newIntake(dev, {
    firstName,
    lastName,
    dob: canaries.intakeDob,
    email,
    phone,
    address,
  });
  const { status, body } = await eventually(async () => {
    const answer = await postIntake(dev, publicIntake, { 'idempotency-key': mark + mark });
    return answer.status === 200 && answer;
  });
  expect(status).toBe(200);
  const card = { submissionId: body.submissionId, paymentMethodId: 'pm_card_visa' };
  expect((await visit(dev, '/save-payment-info', card)).status).toBe(200);

  const approval = { ...semaglutideFor(patient.emr_patient_id!), dosage: canaries.dosage };
  expect((await approve(dev, approval)).status).toBe(200);
  const [schedule] = (await schedulesAt(dev, `?emrPatientId=${patient.emr_patient_id!}`)).body.schedules;
  const { line1: addressLine1, city, zip } = canaries;
  const elsewhere = { shipTo: { addressLine1, city, state: 'NY', zip } };
  for (const [what, body] of Object.entries({ 'ship-to': elsewhere, skip: { reason: canaries.answer } }))
    expect((await schedulesAt(dev, `/${schedule!.id}/${what}`, { method: 'POST', body })).status).toBe(200);
  const directions = { method: 'PATCH', body: { dosage: canaries.dosage } };
  expect((await schedulesAt(dev, `/${schedule!.id}`, directions)).status).toBe(200);
  await sql`
    update orchestrator.run set ship_to = ${sql.json({ line1: addressLine1, city, state: 'NY', zip })}
    where task_id = ${approval.taskId}
  `;
  const { taskId } = approval;
  const [parcel] = await booked(dev, taskId);
  await shipAt(dev, parcel!);
  const paused = { action: 'pause', note: `${lastName} called` };
  const path = `/v1/orders/${taskId}/actions`;
  const acting = await callAs(dev, 'worklist', await adminToken(dev), { method: 'POST', path, body: paused });
  expect(acting.status).toBe(200);
  const shipTo = { addressLine1: line2, city, state: 'NY', zip };
  const lost = { taskId, reason: 'lost', paidBy: 'carrier', note: canaries.answer, shipTo };
  expect((await replace(dev, lost)).status).toBe(200);

  await sql`
    with item as (
      insert into worklist.work_item
        (id, source, kind, reason, title, refers_to, answers, opened_at, due_at)
      values (
        ${randomUUID()}, 'orchestrator', 'approval_failed', 'test', 'Test', ${sql.json({ taskId: approval.taskId })},
        '{dismiss}', now(), now()
      )
      returning id
    )
    insert into worklist.history (item_id, actor, action, note)
    select id, 'root', 'noted', ${`Called ${lastName}`} from item
  `;

  const plain = prescription();
  const order = {
    ...plain,
    patient: { ...plain.patient, firstName, lastName, dob, phone, email },
    shipTo: { ...plain.shipTo, firstName, lastName, phone, addressLine1: line1, city, zip },
    medication: { ...plain.medication, sig: canaries.dosage },
  };
  const submitted = await call<{ submissionId: string; pharmacyOrderId: string }>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body: order,
  });
  expect(submitted.status).toBe(201);
  const reported = await fetch(`${dev.services.router}/rx/webhooks/pharmacy_a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-secret': dev.webhookSecrets.pharmacy_a },
    body: JSON.stringify({ caseId: submitted.body.pharmacyOrderId, rxStatus: 'shipped', patient: lastName }),
  });
  expect(reported.status).toBe(200);
  const refused = await fetch(`${dev.services.router}/rx/webhooks/pharmacy_a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-secret': dev.webhookSecrets.pharmacy_a },
    body: JSON.stringify({ caseId: submitted.body.pharmacyOrderId, rxStatus: 'eaten', patient: lastName }),
  });
  expect(refused.status).toBe(400);
  const sent = await call(dev, 'notification', {
    key: 'notifier',
    method: 'POST',
    path: '/notify/send',
    body: { type: 'otp', recipient: { email, phone, name: firstName }, variables: { code: '1' } },
  });
  expect(sent.status).toBe(200);

  const resource = { id: patient.emr_patient_id, name: [{ given: [firstName], family: lastName }] };
  const updated = await sendWebhook(dev, webhookOf('Patient.updated', resource));
  expect(updated.status).toBe(200);
  const about = { subject: { reference: `Patient/${patient.emr_patient_id}` }, note: canaries.answer };
  expect((await sendWebhook(dev, webhookOf('Observation.created', about))).status).toBe(200);
  expect(
    (await sendWebhook(dev, { email: email.toUpperCase(), lastName }, { signature: 'wrong' })).status,
  ).toBe(401);

  expect((await erase(patient.id)).body).toEqual({
    error: 'conflict',
    message: 'Only an archived patient can be erased',
  });
  expect((await ask('POST', `${own}/archive`)).status).toBe(200);
  return {
    patient,
    ask,
    approval,
    webhookEventId: updated.body['webhookEventId'] as string,
    submitted: submitted.body,
  };
}

describe('POST /v1/patients/:id/erase', () => {
  let made: Awaited<ReturnType<typeof everywhere>>;
  let patient: PatientRow;
  beforeAll(async () => {
    made = await everywhere();
    patient = made.patient;
  });

  test('202: afterwards no table of any schema holds a value of hers, and before there are many', async () => {
    expect(await tablesWithCanaries()).toEqual([
      'bridge.emr_webhook_events',
      'bridge.outbox',
      'intake.submission',
      'notification.delivery',
      'orchestrator.answered_request',
      'orchestrator.direction_change',
      'orchestrator.refill_schedule',
      'orchestrator.replacement',
      'orchestrator.run',
      'patients.intake_snapshots',
      'patients.outbox',
      'patients.patient_directory',
      'router.submission',
      'router.webhook_log',
      'worklist.history',
      'worklist.order_history',
    ]);
    const { status, body } = await erase(patient.id);
    expect([status, body]).toEqual([202, { erasure: { id: expect.any(String), state: 'running' } }]);
    const erasure = await erased(body.erasure.id);
    expect(erasure).toMatchObject({ patientId: patient.id });
    expect(await tablesWithCanaries()).toEqual([]);
  });

  test('ids, amounts and times stay, and the archives say that they were erased', async () => {
    const { ask, approval, webhookEventId, submitted } = made;
    const own = `/patients/${patient.id}`;
    expect((await ask('GET', own)).body.patient).toEqual({
      ...patient,
      email_lower: null,
      legacy_mrn: 'L-1',
      archived_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { snapshots } = (await ask('GET', `${own}/intake-snapshots`)).body;
    expect(snapshots).toHaveLength(2);
    for (const snapshot of snapshots)
      expect(snapshot).toMatchObject({
        payload: { erased: true },
        payload_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        submitted_at: '2026-11-01T09:30:00.000Z',
        erasedAt: expect.any(String),
      });
    const { body } = await callAs(dev, 'bridge', await adminToken(dev), {
      path: `/webhook-events/${webhookEventId}`,
    });
    expect(body['webhookEvent']).toMatchObject({
      raw_body: '{"erased":true}',
      erasedAt: expect.any(String),
      resource_id: patient.emr_patient_id,
      emr_event_name: 'Patient.updated',
      signature_valid: true,
    });
    const [run] = await runsOf(dev, approval.taskId);
    expect(run).toMatchObject({
      status: 'completed',
      emrPatientId: patient.emr_patient_id,
      result: { patientName: 'erased', state: 'NY', submissionId: expect.any(String) },
    });
    const order = await call(dev, 'router', {
      key: 'clinic',
      path: `/rx/prescriptions/${submitted.submissionId}`,
    });
    expect(order.body).toMatchObject({
      requestPayload: { erased: true },
      responsePayload: { erased: true },
      pharmacyOrderId: submitted.pharmacyOrderId,
      patientState: 'NY',
      createdAt: expect.any(String),
    });
    const plans = await sql`
      select plan_amount_cents > 0 as has_amount, card_id is not null as has_card, emr_patient_id is not null as has_id
      from intake.submission
      join patients.erasure on emr_patient_id = any(emr_patient_ids)
      where patient_id = ${patient.id}
    `;
    expect(plans).toEqual([{ hasAmount: true, hasCard: true, hasId: true }]);
  });

  test('who outside is not touched is named, in the answer and on the page of the run, which knows ids only', async () => {
    const { body } = await erase(patient.id);
    const { details } = await erased(body.erasure.id);
    const temporal = await openTemporal(dev);
    const handle = temporal.client.workflow.getHandle(`erasure:${body.erasure.id}`);
    expect(await handle.result()).toEqual({ erased: expect.any(Number) });
    const told = await temporal.detailsOf(`erasure:${body.erasure.id}`);
    for (const party of keptOutside)
      expect([details.includes(party), told.includes(party)]).toEqual([true, true]);
    const history = JSON.stringify(await handle.fetchHistory());
    expect(history).not.toContain(patient.mrn);
    await temporal.close();
  });

  test('asked again it is the same erasure, for what has come in since', async () => {
    const about = { subject: { reference: `Patient/${patient.emr_patient_id}` }, note: canaries.answer };
    expect((await sendWebhook(dev, webhookOf('Observation.created', about))).status).toBe(200);
    const { stdout } = await rx('patients', 'erase', patient.id);
    const [, id] = /^Erasure (\S+) is running/.exec(stdout)!;
    expect(stdout).toContain(`/workflows/erasure:${id}`);
    await erased(id!);
    expect(await tablesWithCanaries()).toEqual([]);
  });

  test('what stands under an address that is not hers alone stays, but for what is under her ids', async () => {
    const contactEmail = `shared.${randomUUID()}@example.test`;
    const first = await newDirectoryPatient(dev, { contactEmail });
    const second = await newDirectoryPatient(dev, { contactEmail });
    const notice = { type: 'otp', recipient: { email: contactEmail }, variables: { code: '1' } };
    await call(dev, 'notification', { key: 'notifier', method: 'POST', path: '/notify/send', body: notice });
    await first.ask('POST', `/patients/${first.patient.id}/archive`);
    const { body } = await erase(first.patient.id);
    expect((await erased(body.erasure.id)).details).toContain(leftByAddress);
    const temporal = await openTemporal(dev);
    expect(await temporal.detailsOf(`erasure:${body.erasure.id}`)).toContain(leftByAddress);
    await temporal.close();
    expect((await first.ask('GET', `/patients/${first.patient.id}`)).body.patient.email_lower).toBeNull();
    expect((await second.ask('GET', `/patients/${second.patient.id}`)).body.patient.email_lower).toBe(
      contactEmail,
    );
    expect(
      await sql`select 1 from notification.delivery where recipient_email = ${contactEmail}`,
    ).toHaveLength(1);
  });

  test.each(['POST', 'GET'])('404: %s of an id that nobody has', async (method) => {
    for (const id of [randomUUID(), 'x']) {
      const path = method === 'POST' ? `/patients/${id}/erase` : `/erasures/${id}`;
      const { status, body } = await asSuperadmin(method, path);
      expect([status, body.error]).toEqual([404, 'not_found']);
    }
  });
});
