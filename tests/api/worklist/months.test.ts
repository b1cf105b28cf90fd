import { expect, test } from '@jest/globals';
import { adminToken, call, callAs, sandbox, shared } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';

const dev = shared();

/** A month of long ago that no other test has. */
const freshMonth = () => `${1900 + Math.floor(Math.random() * 25)}-${10 + Math.floor(Math.random() * 3)}`;

test('A month at the desk is the one of the closes, as JSON and as CSV', async () => {
  const month = freshMonth();
  const date = `${month}-17`;
  const customer = await saveCard(dev, await newPatient(dev, 'NY'));
  const body = { customer, amountCents: 1_234, at: `${date}T18:00:00Z` };
  await sandbox(dev, '/stripe/charges', { method: 'POST', body });
  const closing = { key: 'admin', method: 'POST', path: '/orchestrator/closes', body: { date } };
  expect((await call(dev, 'orchestrator', closing)).status).toBe(200);

  const token = await adminToken(dev);
  const path = `/v1/months/${month}`;
  const { status, body: figures } = await callAs(dev, 'worklist', token, { path });
  expect(status).toBe(200);
  expect(figures).toEqual(
    (await call(dev, 'orchestrator', { key: 'admin', path: `/orchestrator/months/${month}` })).body,
  );
  const csv = await fetch(dev.services.worklist + path, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/csv' },
  });
  expect(csv.headers.get('content-type')).toContain('text/csv');
  expect((await csv.text()).split('\r\n')).toEqual([
    'month,pharmacy,orders,chargedCents,refundedCents,billedCents',
    `${month},pharmacy_a,0,,,`,
    `${month},pharmacy_b,0,,,`,
    `${month},pharmacy_c,0,,,`,
    `${month},all,0,1234,0,`,
    '',
  ]);
});

test('400 for what is no month', async () => {
  const token = await adminToken(dev);
  for (const month of ['2001-13', '0000-05', 'may'])
    expect((await callAs(dev, 'worklist', token, { path: `/v1/months/${month}` })).status).toBe(400);
});
