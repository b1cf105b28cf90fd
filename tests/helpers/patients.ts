import { randomInt, randomUUID } from 'node:crypto';
import type { Patient } from 'fhir/r4.js';
import type { DevJson } from '../../dev/dev-json.js';
import { createSql } from '../../db/client.js';
import { putPaymentProfile } from '../../dev/seed/payment-profiles.js';

export interface TestPatient {
  id: string;
  name: string;
  email: string;
  phone: string;
}

/**
 * Makes an invented patient whom no other test knows, with a complete record and no saved card.
 * @param change turns the complete record into the one that is stored
 */
export async function newPatient(
  dev: DevJson,
  state = 'NY',
  change: (complete: Patient) => Patient = (complete) => complete,
): Promise<TestPatient> {
  const family = `Test${randomUUID().slice(0, 8)}`;
  const email = `ada.${family}@example.test`.toLowerCase();
  const phone = `+1202${randomInt(2_000_000, 10_000_000)}`;
  const complete: Patient = {
    resourceType: 'Patient',
    name: [{ use: 'official', given: ['Ada'], family }],
    telecom: [
      { system: 'email', value: email },
      { system: 'phone', value: phone, use: 'mobile' },
    ],
    gender: 'female',
    birthDate: '1984-03-12',
    address: [
      { use: 'home', line: ['18 Larch Lane', 'Flat 3'], city: 'Sampleton', state, postalCode: '13202' },
    ],
  };
  const response = await fetch(`${dev.emr.baseUrl}/Patient`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${dev.emr.token}`,
      'content-type': 'application/fhir+json',
      // The EMR may end an idle connection at the moment at which it is used again.
      connection: 'close',
      // Made by the clinic, whatever fault another test has set.
      'x-sandbox-bypass': '1',
    },
    body: JSON.stringify(change(complete)),
  });
  if (response.status !== 201) throw new Error(`the EMR answered ${response.status}`);
  const { id } = (await response.json()) as { id: string };
  return { id, name: `Ada ${family}`, email, phone };
}

/** Changes a patient's record in the EMR. */
export async function changeRecord(
  { emr }: DevJson,
  { id }: TestPatient,
  change: (record: Patient) => Patient,
): Promise<void> {
  const url = `${emr.baseUrl}/Patient/${id}`;
  const headers = { authorization: `Bearer ${emr.token}`, 'content-type': 'application/fhir+json' };
  const patient = (await (await fetch(url, { headers })).json()) as Patient;
  const { status } = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(change(patient)) });
  if (status !== 200) throw new Error(`the EMR answered ${status}`);
}

/** Gives a patient another street in the EMR. */
export const moveTo = (dev: DevJson, patient: TestPatient, street: string): Promise<void> =>
  changeRecord(dev, patient, (record) => {
    record.address![0]!.line = [street];
    return record;
  });

/** Saves a card of the processor's test set for a patient, with what was agreed. @returns the customer's id */
export async function saveCard(
  dev: DevJson,
  { id, name, email }: TestPatient,
  agreed: { card?: string; couponId?: string; amountCents?: number; intakeType?: string } = {},
): Promise<string> {
  const customer = await stripe(dev, 'customers', { name, email });
  const method = await stripe(dev, `payment_methods/${agreed.card ?? 'pm_card_visa'}/attach`, {
    customer: customer.id,
  });
  const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  await putPaymentProfile(sql, id, {
    customerId: customer.id,
    paymentMethodId: method.id,
    couponId: agreed.couponId ?? null,
    amountCents: agreed.amountCents ?? null,
    currency: 'usd',
    intakeType: agreed.intakeType ?? null,
  });
  await sql.end();
  return customer.id;
}

/** Makes an object at the payment processor. */
export async function stripe(
  { stripe: { apiBase, secretKey } }: DevJson,
  path: string,
  form: Record<string, string>,
): Promise<{ id: string }> {
  const response = await fetch(`${apiBase}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}` },
    body: new URLSearchParams(form),
  });
  if (!response.ok) throw new Error(`the processor answered ${response.status}`);
  return (await response.json()) as { id: string };
}
