import Fastify, { type FastifyInstance } from 'fastify';
import { sign, signatureMatches } from '../../../platform/crypto/signature.js';
import { connectMail, exchange, pharmacyBToken, sendSms } from './calls.js';
import { sender, setting } from './settings.js';
import type { Sql } from './tables.js';

export interface Prescriber {
  firstName: string;
  lastName: string;
  npi: string;
}
interface Medication {
  title: string;
  sku: string;
  catalogId: string;
  sig: string;
  quantity: number;
  daysSupply: number;
  refills: number;
}
export interface Person {
  firstName: string;
  lastName: string;
  dob: string;
  gender: string;
  email: string;
  phone: string;
  line1: string;
  city: string;
  state: string;
  zip: string;
}
export interface Submission {
  id: string;
  pharmacy: string;
  patient: Person;
  prescriber: Prescriber;
  medication: Medication;
}
export interface Message {
  id: string;
  kind: string;
  email: string;
  phone: string;
  text: string;
}

/** Registry, router and notification as signed handlers; each claims a row by its key. */
export function services(sql: Sql): FastifyInstance {
  const app = Fastify();
  const mail = connectMail();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const { 'x-timestamp': timestamp = '', 'x-signature': given = '' } = request.headers;
    const isGood = signatureMatches(sign(sender.secret, String(timestamp), String(body)), String(given));
    if (isGood) done(null, JSON.parse(String(body)));
    else done(new Error('The signature does not match'));
  });

  app.post<{ Body: { state: string } }>('/registry/route', async ({ body: { state } }) => {
    const [found] = await sql<(Prescriber & { pharmacy: string })[]>`
      select pharmacy, first_name, last_name, npi from physician where state = ${state}
    `;
    if (!found) throw new Error('No physician');
    const { pharmacy, ...prescriber } = found;
    return { pharmacy, prescriber };
  });

  app.post<{ Body: Submission }>('/router/submit', async ({ body: submission }) => {
    const { id, pharmacy } = submission;
    await sql`
      insert into submission (id, payload, pharmacy) values (${id}, ${sql.json(submission as never)}, ${pharmacy})
      on conflict (id) do nothing
    `;
    const [claimed] = await sql`select pharmacy_order_id from submission where id = ${id}`;
    if (claimed?.['pharmacyOrderId']) return { orderId: claimed['pharmacyOrderId'] as string };
    const orderId = await placeOrder(submission);
    await sql`
      update submission set status = 'submitted', pharmacy_order_id = ${orderId}, ended_at = now() where id = ${id}
    `;
    return { orderId };
  });

  app.post<{ Body: Message }>('/notify/send', async ({ body: { id, kind, email, phone, text } }) => {
    await sql`insert into notification (id, kind) values (${id}, ${kind}) on conflict (id) do nothing`;
    const [claimed] = await sql`select status from notification where id = ${id}`;
    if (claimed?.['status'] === 'sent') return { sent: true };
    const [{ messageId }, smsId] = await Promise.all([
      mail.sendMail({
        from: setting('MAIL_FROM'),
        to: email,
        subject: 'Your prescription',
        text,
        html: `<p>${text}</p>`,
      }) as Promise<{ messageId: string }>,
      sendSms(phone, text),
    ]);
    await sql`update notification set status = 'sent', email_id = ${messageId}, sms_id = ${smsId} where id = ${id}`;
    return { sent: true };
  });
  return app;
}

async function placeOrder({ id, pharmacy, patient, prescriber, medication }: Submission): Promise<string> {
  const { firstName, lastName, dob, gender, phone, line1, city, state, zip } = patient;
  const { sku, catalogId, quantity, daysSupply, refills, sig } = medication;
  const common = { quantity, daysSupply, refills, prescriber };
  const address = { firstName, lastName, phone, city, state, zip };
  const idempotency = { 'idempotency-key': `${id}-1` };
  if (pharmacy === 'pharmacy_b') {
    const order = {
      reference: id,
      catalogId,
      directions: sig,
      billTo: 'practice',
      ...common,
      patient: { firstName, lastName, birthDate: dob, gender, phone },
      shipping: { ...address, address1: line1 },
    };
    const { tracking_id } = await exchange<{ tracking_id: string }>(
      `${setting('PHARMACY_B_BASE_URL')}/prescriptions`,
      {
        headers: { ...idempotency, authorization: `Bearer ${await pharmacyBToken()}` },
        body: JSON.stringify(order),
      },
    );
    return tracking_id;
  }
  const order = {
    externalId: id,
    sku,
    sig,
    ...common,
    patient: { firstName, lastName, dob, gender: gender === 'male' ? 'm' : 'f', phone },
    shipTo: { ...address, line1 },
  };
  const { caseId } = await exchange<{ caseId: string }>(`${setting('PHARMACY_A_BASE_URL')}/orders`, {
    headers: { ...idempotency, 'x-api-key': setting('PHARMACY_A_API_KEY') },
    body: JSON.stringify(order),
  });
  return caseId;
}
