import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { call, shared } from '../../helpers/client.js';
import { inState } from '../../helpers/prescription.js';
import { type SecondApi, startSecondApi } from '../../helpers/second-api.js';

const dev = shared();
const sandboxSecret = 'a-secret-of-the-sandbox-of-pharmacy-a-alone';
let sql: Sql;
let apart: SecondApi;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  apart = await startSecondApi(dev, ['router'], { PHARMACY_A_SANDBOX_WEBHOOK_SECRET: sandboxSecret });
});
afterAll(async () => {
  await apart.stop();
  await sql.end();
});

async function submitted(isTest: boolean): Promise<{ submissionId: string; pharmacyOrderId: string }> {
  const body = { ...inState('WA'), test: isTest };
  const submit = { key: 'clinic', method: 'POST', path: '/rx/prescriptions/submit', body };
  return (await call<{ submissionId: string; pharmacyOrderId: string }>(dev, 'router', submit)).body;
}
const statusOf = async (submissionId: string) => {
  const [row] = await sql<{ status: string }[]>`
    select status from router.submission where id = ${submissionId}
  `;
  return row?.status;
};
const tell = async (secret: string, caseId: string, rxStatus: string) => {
  const response = await fetch(`${apart.services.router}/rx/webhooks/pharmacy_a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-secret': secret },
    body: JSON.stringify({ caseId, rxStatus }),
  });
  return response.status;
};

test('with a secret of its own a sandbox changes the test order and never the live one of the same id, and the pharmacy the live one', async () => {
  // The live one is the newest, and so the one that an id alone would mean.
  const ofTest = await submitted(true);
  const live = await submitted(false);
  const id = live.pharmacyOrderId;
  await sql`update router.submission set pharmacy_order_id = ${id} where id = ${ofTest.submissionId}`;
  expect(await tell(sandboxSecret, id, 'shipped')).toBe(200);
  expect([await statusOf(ofTest.submissionId), await statusOf(live.submissionId)]).toEqual([
    'shipped',
    'submitted',
  ]);
  expect(await tell(dev.webhookSecrets.pharmacy_a, id, 'processing')).toBe(200);
  expect([await statusOf(ofTest.submissionId), await statusOf(live.submissionId)]).toEqual([
    'shipped',
    'processing',
  ]);
  const other = await submitted(false);
  expect(await tell(sandboxSecret, other.pharmacyOrderId, 'shipped')).toBe(404);
  expect(await tell('s'.repeat(43), other.pharmacyOrderId, 'shipped')).toBe(401);
});
