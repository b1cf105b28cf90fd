import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createOrderClient } from '../../../integrations/router/orders.js';
import { call, sandbox, shared } from '../../helpers/client.js';
import { signedHeaders } from '../../../platform/crypto/signature.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { approve, semaglutideFor } from './approvals.js';

const dev = shared();
const path = '/orchestrator/closes';

interface Line {
  id: string;
  reference: string;
  state: string;
  kind: string | null;
  theirs: Record<string, unknown> | null;
  settled: { by: string; answer: string; note: string | null; at: string } | null;
}
interface Answer {
  close: { date: string; state: string; totals: Record<string, number>; settled: number } & Record<
    string,
    unknown
  >;
  closes: { date: string }[];
  lines: Line[];
  line: Line;
  nextCursor: string | null;
  error: string;
}
const ask = (method: string, rest = '', body?: unknown, key = 'admin') =>
  call<Answer>(dev, 'orchestrator', { key, method, path: `${path}${rest}`, body });
const control = <T>(rest: string, body: unknown) => sandbox<T>(dev, rest, { method: 'POST', body });

/** A day of long ago that no other test has. */
const freshDay = () =>
  new Date(Date.UTC(2000, 0, 1 + Math.floor(Math.random() * 7_000))).toISOString().slice(0, 10);

test('A day is closed once, with what the outside has that is not ours, until each line is settled (D131, D132)', async () => {
  const date = freshDay();
  const at = `${date}T18:00:00Z`;
  const patient = await newPatient(dev, 'NY');
  const customer = await saveCard(dev, patient);
  const reference = randomUUID();
  const charged = await control<{ charge: { id: string } }>('/stripe/charges', {
    customer,
    amountCents: 1_234,
    at,
  });
  await control('/shipping/shipments', { reference, pharmacy: 'pharmacy_a', kind: 'label', at });

  const closed = await ask('POST', '', { date });
  expect(closed.status).toBe(200);
  expect(closed.body.close).toEqual({
    date,
    state: 'closed',
    totals: { orders: 0, charges: 1, chargedCents: 1_234, refundedCents: 0, labels: 1 },
    matched: 0,
    explained: 0,
    differences: 2,
    settled: 0,
  });
  expect((await ask('GET', `?from=${date}&to=${date}`)).body.closes).toEqual([closed.body.close]);
  const first = await ask('GET', `/${date}/lines?state=difference&limit=1`);
  const second = await ask('GET', `/${date}/lines?limit=1&cursor=${first.body.nextCursor ?? ''}`);
  const lines = [...first.body.lines, ...second.body.lines];
  const lineOf = (kind: string) => lines.find((line) => line.kind === kind);
  expect(new Set(lines.map(({ kind, reference }) => `${kind ?? ''} ${reference}`))).toEqual(
    new Set([`charge_not_ours ${charged.charge.id}`, `label_without_order ${reference}`]),
  );

  const settle = (line: Line | undefined, body: unknown) =>
    ask('POST', `/${date}/lines/${line?.id ?? ''}/settle`, body);
  const still = await settle(lineOf('charge_not_ours'), { answer: 'recheck' });
  expect([still.status, still.body.error, still.body.line.kind]).toEqual([
    409,
    'Still different',
    'charge_not_ours',
  ]);
  await control('/stripe/refunds', { charge: charged.charge.id, amountCents: 1_234, at });
  const rechecked = await settle(lineOf('charge_not_ours'), { answer: 'recheck' });
  expect(rechecked.body.line.settled).toMatchObject({ answer: 'recheck', note: null });
  expect((await settle(lineOf('charge_not_ours'), { answer: 'accept' })).body).toEqual(rechecked.body);
  const accepted = await settle(lineOf('label_without_order'), { answer: 'accept', note: 'Made by hand' });
  expect(accepted.body.line.settled).toMatchObject({ answer: 'accept', note: 'Made by hand' });

  const again = await ask('POST', '', { date });
  expect(again.body.close).toEqual({ ...closed.body.close, settled: 2 });

  const credentials = dev.apiKeys['admin'];
  const csv = await fetch(`${dev.services.orchestrator}${path}/${date}/lines`, {
    headers: {
      ...signedHeaders({ keyId: credentials?.key ?? '', secret: credentials?.secret ?? '' }, ''),
      accept: 'text/csv',
    },
  });
  const rows = (await csv.text()).split('\r\n');
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect([rows[0], rows.length]).toEqual(['id,reference,taskId,state,kind,because,ours,theirs,settled', 4]);
});

test('A close finds the order of a task whose id is a UUID, as it finds one by the id of the router (D132)', async () => {
  const { id: emrPatientId } = await newPatient(dev, 'WA');
  const taskId = randomUUID();
  const { submissionId } = (await approve(dev, { ...semaglutideFor(emrPatientId), taskId })).body.result;
  const { key: keyId, secret } = dev.apiKeys['orchestrator']!;
  const orders = createOrderClient({ party: 'Router', baseUrl: dev.services.router, keyId, secret });
  const find = (reference: string) => orders.findOrderOf(reference, { timeoutMs: 5_000 });
  expect(await find(taskId)).toMatchObject({ id: submissionId });
  expect(await find(submissionId!)).toMatchObject({ id: submissionId });
  expect(await find(randomUUID())).toBeUndefined();
});

test('Only a past day is closed, by an admin key, and unknown ones are not found', async () => {
  const today = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect((await ask('POST', '', { date: today })).status).toBe(400);
  expect((await ask('POST', '', { date: '2001-02-30' })).status).toBe(400);
  expect((await ask('POST', '', { date: '2001-02-03' }, 'approvals')).status).toBe(403);
  for (const rest of ['/1901-01-01', '/nonsense', '/1901-01-01/lines'])
    expect((await ask('GET', rest)).status).toBe(404);
  const settling = await ask('POST', `/1901-01-01/lines/${randomUUID()}/settle`, { answer: 'accept' });
  expect(settling.status).toBe(404);
});
