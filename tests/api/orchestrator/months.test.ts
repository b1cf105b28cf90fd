import { expect, test } from '@jest/globals';
import { call, sandbox, shared } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';

const dev = shared();
const ask = (month: string, key = 'admin') =>
  call(dev, 'orchestrator', { key, path: `/orchestrator/months/${month}` });

/** A month of long ago that no other test has. */
const freshMonth = () => `${1930 + Math.floor(Math.random() * 40)}-${10 + Math.floor(Math.random() * 3)}`;

test('A month has the sums of its closed days (D135)', async () => {
  const month = freshMonth();
  const date = `${month}-17`;
  const customer = await saveCard(dev, await newPatient(dev, 'NY'));
  await sandbox(dev, '/stripe/charges', {
    method: 'POST',
    body: { customer, amountCents: 1_234, at: `${date}T18:00:00Z` },
  });
  const empty = await ask(month);
  expect([empty.status, empty.body['closedDays'], empty.body['chargedCents']]).toEqual([200, 0, 0]);

  await call(dev, 'orchestrator', {
    key: 'admin',
    method: 'POST',
    path: '/orchestrator/closes',
    body: { date },
  });
  const figures = {
    month,
    closedDays: 1,
    pharmacies: ['pharmacy_a', 'pharmacy_b', 'pharmacy_c'].map((pharmacy) => ({
      pharmacy,
      orders: 0,
      billedCents: null,
    })),
    orders: 0,
    chargedCents: 1_234,
    refundedCents: 0,
    billedCents: null,
  };
  expect((await ask(month)).body).toEqual(figures);
  expect((await ask(month, 'worklist')).body).toEqual(figures);
});

test('Only admin keys and the worklist read a month, which has a number from 01 to 12', async () => {
  expect((await ask('2001-02', 'approvals')).status).toBe(403);
  for (const month of ['2001-13', '2001-1', '0000-05', 'may']) expect((await ask(month)).status).toBe(400);
});
