import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { call, shared } from '../../helpers/client.js';
import {
  approve,
  callsTo,
  chargesOf,
  messagesTo,
  ordersOf,
  semaglutideFor,
  shipmentsOf,
  submissionIdOf,
} from './approvals.js';
import { newPatient, saveCard } from '../../helpers/patients.js';

const dev = shared();
const concentrationNote = 'Verify the concentration on the vial before drawing the dose.';
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(() => sql.end());

/** The request to the router, as the orchestrator sent it. */
async function submissionOf(taskId: string): Promise<Record<string, unknown>> {
  const path = `/rx/prescriptions/${submissionIdOf(dev, taskId)}`;
  const { body } = await call<{ requestPayload: Record<string, unknown> }>(dev, 'router', {
    key: 'orchestrator',
    path,
  });
  return body.requestPayload;
}

describe('what an approval makes happen outside', () => {
  test('pharmacy: the order has patient, address, prescriber and medication of steps 1 to 3 (D30)', async () => {
    const patient = await newPatient(dev, 'NY');
    const { taskId, ...details } = semaglutideFor(patient.id);
    await approve(dev, { taskId, ...details });
    const [firstName, lastName] = patient.name.split(' ');
    const { email, phone } = patient;
    const address = { city: 'Sampleton', state: 'NY', zip: '13202' };
    expect(await submissionOf(taskId)).toEqual({
      source: 'orchestrator',
      sourceOrderId: taskId,
      callbackUrl: `${dev.services.orchestrator}/api/pharmacy-router/callback`,
      patient: { firstName, lastName, dob: '1984-03-12', gender: 'female', phone, email },
      shipTo: {
        firstName,
        lastName,
        phone,
        addressLine1: '18 Larch Lane',
        addressLine2: 'Flat 3',
        ...address,
      },
      prescriber: { firstName: 'Alex', lastName: 'Rivera', npi: '1234567893' },
      medication: {
        name: 'semaglutide',
        key: 'semaglutide',
        sig: 'inject 10 units (0.25mg) SQ weekly',
        quantity: 2,
        daysSupply: 30,
        refills: 3,
        note: concentrationNote,
      },
    });
    expect(await ordersOf(dev, taskId)).toMatchObject([
      {
        pharmacy: 'pharmacy_a',
        idempotencyKey: `${submissionIdOf(dev, taskId)}-1`,
        body: {
          sku: '12565',
          note: concentrationNote,
          patient: { lastName, gender: 'f' },
          shipTo: { line2: 'Flat 3' },
        },
      },
    ]);
  });

  test('pharmacy: a dosage takes the place of the default directions', async () => {
    const { id } = await newPatient(dev, 'TX');
    const approval = { ...semaglutideFor(id), dosage: 'inject 5 units at noon' };
    await approve(dev, approval);
    expect(await ordersOf(dev, approval.taskId)).toMatchObject([
      { pharmacy: 'pharmacy_b', body: { directions: 'inject 5 units at noon', catalogId: 'PB-SEMA-5' } },
    ]);
  });

  test('pharmacy: no note where no concentration needs to be checked', async () => {
    const { id } = await newPatient(dev, 'WA');
    const approval = { ...semaglutideFor(id), medication: 'nad' };
    await approve(dev, approval);
    const [order] = await ordersOf(dev, approval.taskId);
    expect(order?.body).toMatchObject({
      sku: '12832',
      quantity: 5,
      sig: 'inject subcutaneously as directed',
    });
    expect(order?.body).not.toHaveProperty('note');
  });

  test('pharmacy: tirzepatide as in page 1, Medication config', async () => {
    const { id } = await newPatient(dev, 'WA');
    const approval = { ...semaglutideFor(id), medication: 'tirzepatide' };
    const { body } = await approve(dev, approval);
    expect(body.result.medication).toBe('Tirzepatide 16.75mg-5mg/mL');
    const [order] = await ordersOf(dev, approval.taskId);
    expect(order?.body).toMatchObject({
      sku: '12850',
      sig: 'inject 24 units (4mg) SQ weekly',
      quantity: 2,
      refills: 3,
      note: concentrationNote,
    });
  });

  test('pharmacy: a stored medication config brings its own directions, days supply and justification (D31)', async () => {
    const type = `tirzepatide ${randomUUID()}`;
    await sql`
      insert into orchestrator.medication_config
        (type, drug_name, sig, quantity_ml, refills, days_supply, price_cents, clinical_justification)
      values (${type}, 'Tirzepatide 5mg/mL', 'inject slowly', 1.5, 2, 28, 12345, 'A lower strength')
    `;
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const approval = { ...semaglutideFor(patient.id), medication: type };
    const { body } = await approve(dev, approval);
    expect(body.result.medication).toBe('Tirzepatide 5mg/mL');
    expect(await ordersOf(dev, approval.taskId)).toMatchObject([
      {
        body: {
          sku: '12850',
          sig: 'inject slowly',
          quantity: 1.5,
          daysSupply: 28,
          refills: 2,
          justification: 'A lower strength',
        },
      },
    ]);
    expect(await chargesOf(dev, approval.taskId)).toMatchObject([{ amountCents: 12_345 }]);
  });

  test.each([
    ['LA', '1234567893'],
    ['OH', '1245319599'],
  ])('prescriber: for %s the registry names %s', async (state, npi) => {
    const { id } = await newPatient(dev, state);
    const approval = semaglutideFor(id);
    await approve(dev, approval);
    expect(await ordersOf(dev, approval.taskId)).toMatchObject([{ body: { prescriber: { npi } } }]);
  });

  test('processor: one off-session charge with amount, task and its key', async () => {
    const patient = await newPatient(dev, 'WA');
    const customer = await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    await approve(dev, approval);
    const key = `charge:${approval.taskId}:1`;
    const metadata = { charge_key: key, task_id: approval.taskId };
    expect(await chargesOf(dev, approval.taskId)).toMatchObject([
      { amountCents: 29_900, currency: 'usd', customer, metadata },
    ]);
    const calls = await callsTo(dev, 'stripe');
    expect(calls.filter(({ headers }) => headers['idempotency-key'] === key)).toMatchObject([
      {
        operation: 'paymentIntents.create',
        body: { amount: '29900', customer, off_session: 'true', confirm: 'true', metadata },
      },
    ]);
  });

  test('shipping: a label for a pharmacy_c order, with its key', async () => {
    const patient = await newPatient(dev, 'NY');
    const approval = semaglutideFor(patient.id);
    await approve(dev, approval);
    const [order] = await ordersOf(dev, approval.taskId);
    const reference = submissionIdOf(dev, approval.taskId);
    const calls = await callsTo(dev, 'shipping');
    expect(calls.filter(({ body }) => body['reference'] === reference)).toMatchObject([
      {
        status: 201,
        headers: { 'idempotency-key': `shipment:${reference}` },
        body: {
          pharmacy: 'pharmacy_c',
          pharmacyOrderId: order?.orderId,
          kind: 'label',
          recipient: {
            name: patient.name,
            phone: patient.phone,
            line1: '18 Larch Lane',
            line2: 'Flat 3',
            city: 'Sampleton',
            state: 'NY',
            zip: '13202',
          },
        },
      },
    ]);
    const rows = await sql`
      select task_id, pharmacy, state, shipment_id is not null as labelled
      from orchestrator.shipment where submission_id = ${reference}
    `;
    expect([...rows]).toEqual([
      { taskId: approval.taskId, pharmacy: 'pharmacy_c', state: 'label_created', labelled: true },
    ]);
  });

  test.each([
    ['WA', 'pharmacy_a'],
    ['TX', 'pharmacy_b'],
  ])('shipping: none yet for %s, whose order %s ships later', async (state, pharmacy) => {
    const { id } = await newPatient(dev, state);
    const approval = semaglutideFor(id);
    expect((await approve(dev, approval)).body.result.completedSteps).toContain('shipment');
    expect(await shipmentsOf(dev, approval.taskId)).toEqual([]);
    const rows =
      await sql`select pharmacy, state from orchestrator.shipment where task_id = ${approval.taskId}`;
    expect([...rows]).toEqual([{ pharmacy, state: 'awaiting_pharmacy' }]);
  });

  test('patient: one mail with name, medication and pharmacy, one text without the medication', async () => {
    const patient = await newPatient(dev, 'TX');
    // Without a card the patient would be asked for one in another mail.
    await saveCard(dev, patient);
    await approve(dev, semaglutideFor(patient.id));
    const sent = await messagesTo(dev, patient);
    const [mail, sms] = ['email', 'sms'].map((channel) =>
      sent.find((message) => message.channel === channel),
    );
    // A text whose answer comes too late is sent again: its provider knows no keys.
    expect(sent.filter((message) => message !== mail && message.text !== sms?.text)).toEqual([]);
    expect(mail).toMatchObject({
      channel: 'email',
      to: patient.email,
      subject: 'Your prescription was approved',
    });
    for (const part of [mail?.text, mail?.html])
      for (const fact of [patient.name, 'Semaglutide 5mg/mL', 'Pharmacy B']) expect(part).toContain(fact);
    expect(sms).toMatchObject({ channel: 'sms', to: patient.phone });
    expect(sms?.text).toContain(patient.name);
    expect(sms?.text).not.toMatch(/semaglutide/i);
  });

  test('patient: without an e-mail address the text alone is no warning', async () => {
    const patient = await newPatient(dev, 'TX', (complete) => ({
      ...complete,
      telecom: complete.telecom!.filter(({ system }) => system === 'phone'),
    }));
    await saveCard(dev, patient);
    const { body } = await approve(dev, semaglutideFor(patient.id));
    expect(body.result.warnings).toEqual([]);
    expect((await messagesTo(dev, patient)).map(({ channel }) => channel)).toEqual(['sms']);
  });

  test('nobody: a run that fails at step 4 charges, ships and says nothing', async () => {
    const patient = await newPatient(dev, 'CA');
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    expect((await approve(dev, approval)).body.failedStep).toBe('pharmacy_submission');
    expect(await ordersOf(dev, approval.taskId)).toEqual([]);
    expect(await chargesOf(dev, approval.taskId)).toEqual([]);
    expect(await shipmentsOf(dev, approval.taskId)).toEqual([]);
    expect(await messagesTo(dev, patient)).toEqual([]);
  });
});
