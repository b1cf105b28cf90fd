import { expect, test } from '@jest/globals';
import { call, sandbox, shared } from '../../../helpers/client.js';
import { inState } from '../../../helpers/prescription.js';

interface Submitted {
  submissionId: string;
  pharmacyOrderId: string;
  pharmacy: string;
}

const dev = shared();
const key = 'clinic_holds';
const post = async <T>(path: string, body?: object) => {
  const request = { key, method: 'POST', path, ...(body && { body }) };
  const answer = await call<T>(dev, 'router', request);
  return [answer.status, answer.body] as const;
};
const control = ({ pharmacy, pharmacyOrderId }: Submitted, what: string, body: object = {}) =>
  sandbox(dev, `/pharmacies/${pharmacy}/orders/${pharmacyOrderId}/${what}`, { method: 'POST', body });
async function record({ submissionId }: Submitted) {
  const { body } = await call(dev, 'router', { key, path: `/rx/prescriptions/${submissionId}` });
  return body as { holds: { id: string }[]; amendments: object[]; parcels: object[] };
}

test('The order after a lost one has none of its holds, amendments and parcels, and takes its own (D138)', async () => {
  const submission = inState('WA');
  const [, lost] = await post<Submitted>('/rx/prescriptions/submit', submission);
  const path = `/rx/prescriptions/${lost.submissionId}`;
  for (const id of ['h1', 'h2', 'h3']) await control(lost, 'hold', { id, code: 'out-of-stock' });
  const change = { answer: 'change', changes: { quantity: 3 } };
  expect(await post(`${path}/holds/h1/answer`, change)).toMatchObject([200, { hold: { id: 'h1' } }]);
  await control(lost, 'status', { status: 'processing', trackingNumber: '1Z1' });
  const before = await record(lost);
  expect(before).toMatchObject({ amendments: [{ holdId: 'h1' }], parcels: [{ trackingNumber: '1Z1' }] });
  expect(before.holds).toHaveLength(3);
  await control(lost, 'forget');
  expect(await post(`${path}/missing`)).toMatchObject([200, { found: false }]);

  const [status, next] = await post<Submitted>('/rx/prescriptions/submit', submission);
  expect(status).toBe(201);
  expect(await record(next)).toMatchObject({ holds: [], amendments: [], parcels: [] });
  expect((await post(`${path}/holds/h1/answer`, change))[0]).toBe(404);

  await control(next, 'release', { id: 'h2' });
  for (const id of ['h2', 'h1']) await control(next, 'hold', { id, code: 'prior-auth' });
  const opened = { code: 'prior_authorization', answer: null, answeredAt: null };
  expect((await record(next)).holds).toEqual([
    expect.objectContaining({ ...opened, id: 'h2', state: 'released' }),
    expect.objectContaining({ ...opened, id: 'h1', state: 'open' }),
  ]);
  expect(await post(`${path}/holds/h1/answer`, { answer: 'proceed' })).toMatchObject([
    200,
    { hold: { id: 'h1', state: 'answered', answer: 'proceed' } },
  ]);
  expect((await record(next)).amendments).toEqual([]);
});
