import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createSql } from '../../../db/client.js';
import { addDays } from '../../../domain/calendar.js';
import { billKinds } from '../../../domain/orchestrator/statements.js';
import { signedHeaders } from '../../../platform/crypto/signature.js';
import { call, callAs, adminToken, eventually, patientIn, sandbox, shared } from '../../helpers/client.js';
import { approve, ordersOf, semaglutideFor, submissionIdOf } from './approvals.js';

const dev = shared();
const path = '/orchestrator/statements';
const db = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
afterAll(() => db.end());

interface Line {
  id: string;
  reference: string;
  taskId: string | null;
  state: string;
  kind: string | null;
  ours: Record<string, unknown> | null;
  theirs: Record<string, unknown> | null;
  settled: Record<string, unknown> | null;
}
interface Answer {
  statement: { id: string; sha256: string; differences: number } & Record<string, unknown>;
  statements: { id: string }[];
  lines: Line[];
  line: Line;
  nextCursor: string | null;
  error: string;
  statementId: string;
  details: { path: string; message: string }[];
}
const ask = (method: string, rest = '', body?: unknown, headers?: Record<string, string>) =>
  call<Answer>(dev, 'orchestrator', {
    key: 'admin',
    method,
    path: `${path}${rest}`,
    body,
    ...(headers && { headers }),
  });
const csv = (rest: string, body: string) => ask('POST', rest, body, { 'content-type': 'text/csv' });

/** A day of long ago that no other test has. */
const freshDay = () =>
  new Date(Date.UTC(1950, 0, 1 + Math.floor(Math.random() * 15_000))).toISOString().slice(0, 10);

/** An order that the pharmacy shipped on a day. */
async function shippedOn(day: string) {
  const approval = semaglutideFor(patientIn(dev, 'TX'));
  const { taskId } = approval;
  await approve(dev, approval);
  const [order] = await ordersOf(dev, taskId);
  const pharmacyOrderId = order?.orderId ?? '';
  await sandbox(dev, `/pharmacies/pharmacy_b/orders/${pharmacyOrderId}/status`, {
    method: 'POST',
    body: { status: 'in-transit' },
  });
  const submissionId = submissionIdOf(dev, taskId);
  await eventually(async () => {
    const shipped =
      await db`select 1 from router.submission where id = ${submissionId} and shipped_at is not null`;
    return shipped.length > 0;
  });
  await db`update router.submission set shipped_at = ${`${day}T18:00:00Z`} where id = ${submissionId}`;
  return { taskId, submissionId, pharmacyOrderId };
}

test('A statement is matched with what the pharmacy shipped, until each line is settled (D133)', async () => {
  const from = freshDay();
  const to = addDays(from, 2);
  const [good, dear, unbilled] = [await shippedOn(from), await shippedOn(to), await shippedOn(to)];
  const [unknown, accepted] = [`case_${randomUUID()}`, `case_${randomUUID()}`];
  const bills = [
    { pharmacyOrderId: good.pharmacyOrderId, amountCents: 8_000 },
    { pharmacyOrderId: good.pharmacyOrderId, amountCents: 8_000, shippedOn: from },
    { pharmacyOrderId: dear.pharmacyOrderId, amountCents: 9_000, shippedOn: to, description: 'Vial' },
    { pharmacyOrderId: unknown, amountCents: 5 },
    { pharmacyOrderId: accepted, amountCents: 7 },
  ];
  const article = (
    await db<{ article: string }[]>`select article from router.submission where id = ${good.submissionId}`
  )[0]?.article;
  const prices = '/orchestrator/prices';
  const price = { pharmacy: 'pharmacy_b', article, cents: 8_000, from: '1940-01-01' };
  const set = await call(dev, 'orchestrator', {
    key: 'admin',
    method: 'PUT',
    path: `${prices}/pharmacy_b/${article ?? ''}`,
    body: { cents: price.cents, from: price.from },
  });
  expect([set.status, set.body]).toEqual([200, { price }]);
  const listed = await call<{ prices: unknown[] }>(dev, 'orchestrator', { key: 'admin', path: prices });
  expect(listed.body.prices).toContainEqual(price);

  const posted = await ask('POST', '?pharmacy=pharmacy_b', { from, to, lines: bills });
  const { statement } = posted.body;
  expect([posted.status, statement]).toEqual([
    201,
    {
      id: expect.any(String),
      pharmacy: 'pharmacy_b',
      from,
      to,
      lines: 5,
      billedCents: 25_012,
      matched: 1,
      differences: 5,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
  const again = await ask('POST', '?pharmacy=pharmacy_b', { from, to, lines: bills });
  expect([again.status, again.body.statement]).toEqual([200, statement]);
  expect((await ask('GET', `/${statement.id}`)).body.statement).toEqual(statement);
  expect((await ask('GET', `?pharmacy=pharmacy_b&from=${to}&to=${to}`)).body.statements).toEqual([statement]);
  expect((await ask('GET', `?pharmacy=pharmacy_a&from=${to}&to=${to}`)).body.statements).toEqual([]);
  const covered = await ask('POST', '?pharmacy=pharmacy_b', { from: to, to: addDays(to, 1), lines: [] });
  expect([covered.status, covered.body]).toEqual([
    409,
    { error: 'Days are covered by another statement', statementId: statement.id },
  ]);

  const first = await ask('GET', `/${statement.id}/lines?limit=2`);
  const second = await ask('GET', `/${statement.id}/lines?cursor=${first.body.nextCursor ?? ''}`);
  const lines = [...first.body.lines, ...second.body.lines];
  const lineOf = (kind: string) => lines.find((line) => line.kind === kind);
  expect(new Set(lines.map(({ kind, reference }) => `${kind ?? 'matched'} ${reference}`))).toEqual(
    new Set([
      `matched ${good.taskId}`,
      `bill_twice ${good.taskId}`,
      `bill_amount ${dear.taskId}`,
      `bill_without_order ${unknown}`,
      `bill_without_order ${accepted}`,
      `order_not_billed ${unbilled.taskId}`,
    ]),
  );
  expect(lineOf('bill_amount')).toMatchObject({
    taskId: dear.taskId,
    ours: { priceCents: 8_000 },
    theirs: { amountCents: 9_000 },
  });

  const settle = (line: Line | undefined, body: unknown) =>
    ask('POST', `/${statement.id}/lines/${line?.id ?? ''}/settle`, body);
  const recheckEach = () =>
    Promise.all(
      billKinds.map(async (kind) => {
        const line = lines.find((one) => one.kind === kind && one.reference !== accepted);
        const { status, body } = await settle(line, { answer: 'recheck' });
        return [status, body.error, body.line.kind, body.line.settled?.['answer']];
      }),
    );
  expect(await recheckEach()).toEqual(billKinds.map((kind) => [409, 'Still different', kind, undefined]));
  const next = addDays(to, 1);
  const credits = [
    ['', -8_000, good.pharmacyOrderId],
    ['', -1_000, dear.pharmacyOrderId],
    ['', -5, unknown],
    [to, 8_000, unbilled.pharmacyOrderId],
  ];
  const later = await csv(
    `?pharmacy=pharmacy_b&from=${next}&to=${next}`,
    `\uFEFFshippedOn,amountCents,pharmacyOrderId\r\n${credits.map((line) => `${line.join(',')}\r\n`).join('')}`,
  );
  expect([later.status, later.body.statement]).toMatchObject([201, { matched: 4, differences: 0 }]);
  expect(await recheckEach()).toEqual(billKinds.map((kind) => [200, undefined, kind, 'recheck']));

  const item = await eventually(async () => {
    const items = await callAs<{ workItems: { id: string; references: Record<string, string> }[] }>(
      dev,
      'worklist',
      await adminToken(dev),
      { path: '/v1/work-items?kind=statement_differences' },
    );
    return items.body.workItems.find(({ references }) => references['statementId'] === statement.id);
  });
  const known = await callAs<{ context: object; effects: Record<string, string> }>(
    dev,
    'worklist',
    await adminToken(dev),
    { path: `/v1/work-items/${item.id}` },
  );
  expect(known.body.context).toMatchObject({ differences: 1 });
  expect(known.body.effects['recheck']).toContain('the line that differs');
  const last = lines.find(({ reference }) => reference === accepted);
  expect((await settle(last, { answer: 'accept', note: 'Agreed' })).body.line.settled).toMatchObject({
    answer: 'accept',
    note: 'Agreed',
  });
  const items = await db`
    select state from orchestrator.work_item where kind = 'statement_differences' and fact = ${statement.id}
  `;
  expect(items).toEqual([{ state: 'closed' }]);

  const credentials = dev.apiKeys['admin'];
  const answer = await fetch(`${dev.services.orchestrator}${path}/${statement.id}/lines`, {
    headers: {
      ...signedHeaders({ keyId: credentials?.key ?? '', secret: credentials?.secret ?? '' }, ''),
      accept: 'text/csv',
    },
  });
  expect((await answer.text()).split('\r\n')).toHaveLength(8);
  const month = await call<{ pharmacies: { pharmacy: string; billedCents: number }[] }>(dev, 'orchestrator', {
    key: 'admin',
    path: `/orchestrator/months/${from.slice(0, 7)}`,
  });
  expect(
    month.body.pharmacies.find(({ pharmacy }) => pharmacy === 'pharmacy_b')?.billedCents,
  ).toBeGreaterThan(0);
});

test('A removed statement makes place for a corrected one, and is found no more', async () => {
  const day = freshDay();
  const post = (amountCents: number) =>
    ask('POST', '?pharmacy=pharmacy_a', {
      from: day,
      to: day,
      lines: [{ pharmacyOrderId: `case_${day}`, amountCents }],
    });
  const wrong = await post(100);
  expect(wrong.body.statement.differences).toBe(1);
  expect((await post(200)).status).toBe(409);
  const { id } = wrong.body.statement;
  const removed = await ask('DELETE', `/${id}`);
  expect([removed.status, removed.body.statement]).toEqual([200, wrong.body.statement]);
  for (const rest of [`/${id}`, `/${id}/lines`]) expect((await ask('GET', rest)).status).toBe(404);
  expect((await ask('DELETE', `/${id}`)).status).toBe(404);
  const items = await db`
    select state, closed_by from orchestrator.work_item where kind = 'statement_differences' and fact = ${id}
  `;
  expect(items).toEqual([{ state: 'closed', closedBy: 'system' }]);
  expect((await post(200)).status).toBe(201);
});

test('Faulty lines are named by their place, and nothing is stored', async () => {
  const day = freshDay();
  const good = { pharmacyOrderId: 'case_1', amountCents: 1 };
  const paths = async (answer: Promise<{ status: number; body: Answer }>) => {
    const { status, body } = await answer;
    expect(status).toBe(400);
    return body.details.map(({ path }) => path);
  };
  const json = (lines: unknown, more = {}) =>
    paths(ask('POST', '?pharmacy=pharmacy_a', { from: day, to: day, lines, ...more }));
  expect(await json([good, { ...good, amountCents: 1.5 }, good, { amountCents: 1 }])).toEqual([
    'lines.1',
    'lines.3',
  ]);
  expect(await json([{ ...good, shippedOn: '2026-02-30' }, 'text'])).toEqual(['lines.0', 'lines.1']);
  expect(await json([{ ...good, shippedon: day }])).toEqual(['lines.0.shippedon']);
  expect(await json('none')).toEqual(['lines']);
  expect(await json([], { to: addDays(day, -1) })).toEqual(['to']);
  const days = `&from=${day}&to=${day}`;
  const text = (body: string, rest = days) => paths(csv(`?pharmacy=pharmacy_a${rest}`, body));
  const header = 'pharmacyOrderId,amountCents\n';
  expect(await text(`${header}a,1\nb,1.00\nc\n`)).toEqual(['lines.1', 'lines.2']);
  expect(await text(`${header}a,1\n"b,1`)).toEqual(['lines.1']);
  expect(await text('pharmacyOrderId,amount\na,1')).toEqual(['lines']);
  expect(await text(header, `&from=${day}`)).toEqual(['to']);
  expect(await paths(ask('POST', '?pharmacy=pharmacy_x', { from: day, to: day, lines: [] }))).toEqual([
    'pharmacy',
  ]);
  expect((await ask('GET', `?from=${day}&to=${day}`)).body.statements).toEqual([]);
  const large = await csv(`?pharmacy=pharmacy_a${days}`, `${header}${' '.repeat(5 * 1024 * 1024)}`);
  expect(large.status).toBe(413);
});

test('Only keys with the scope admin read statements and prices', async () => {
  for (const refused of [path, '/orchestrator/prices'])
    expect((await call(dev, 'orchestrator', { path: refused })).status).toBe(403);
  const shipped = await call(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/shipped-orders/find',
    body: { pharmacy: 'pharmacy_a', pharmacyOrderIds: [] },
  });
  expect(shipped.status).toBe(403);
  for (const rest of ['/nonsense', `/${randomUUID()}`]) expect((await ask('GET', rest)).status).toBe(404);
  const price = await call<Answer>(dev, 'orchestrator', {
    key: 'admin',
    method: 'PUT',
    path: '/orchestrator/prices/pharmacy_x/1',
    body: { cents: 1, from: '2026-01-01' },
  });
  expect([price.status, price.body.details[0]?.path]).toEqual([400, 'pharmacy']);
});
