import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSql, type Sql } from '../../db/client.js';
import { startSystem } from '../../dev/start/system.js';
import { call } from '../../tests/helpers/client.js';
import { emptyState } from '../../tests/helpers/system.js';
import { memoryMiB } from './processes.js';
import { type Figure, say } from './report.js';

const month = '2026-03';
const days = 31;
const memoryEvery = 5;
const cents = 29_900;
const billedCents = 8_000;

interface Order {
  id: string;
  at: string;
}
const dayOf = (n: number): string => `${month}-${String(n + 1).padStart(2, '0')}`;

/** Closes each day of a month in turn, then matches the statement of the pharmacy: time and memory. */
export async function close(orders = 30_000): Promise<Figure[]> {
  const stateDir = await emptyState();
  const made = Array.from({ length: orders }, (_, n): Order => ({
    id: randomUUID(),
    at: `${dayOf(n % days)}T18:00:00.000Z`,
  }));
  writeLedgers(join(stateDir, 'sandbox'), made);
  const system = await startSystem({ stateDir, portBase: 0, quiet: true, split: true });
  const { dev } = system;
  const sql = createSql(dev.databaseUrl, { applicationName: 'bench', max: 2 });
  try {
    await insertOrders(sql, made);
    say(`${orders} orders`);
    const ask = async <T>(path: string, body: unknown): Promise<T> => {
      const answer = await call<T>(dev, 'orchestrator', { key: 'admin', method: 'POST', path, body });
      if (answer.status > 201) throw new Error(`${path}: ${answer.status}`);
      return answer.body;
    };
    const held: number[] = [];
    let [matched, differences, longest] = [0, 0, 0];
    const startedAt = Date.now();
    for (let n = 0; n < days; n += 1) {
      const began = Date.now();
      type Close = { close: { matched: number; differences: number } };
      const { close } = await ask<Close>('/orchestrator/closes', { date: dayOf(n) });
      longest = Math.max(longest, Date.now() - began);
      matched += close.matched;
      differences += close.differences;
      if ((n + 1) % memoryEvery === 0) held.push(memoryMiB([dev.pids.workers]));
      say(`${dayOf(n)}: ${Date.now() - began} ms`);
    }
    const closed = (Date.now() - startedAt) / 1000;

    const began = Date.now();
    type Posted = { statement: { matched: number; differences: number } };
    const { statement } = await ask<Posted>('/orchestrator/statements?pharmacy=pharmacy_a', {
      from: dayOf(0),
      to: dayOf(days - 1),
      lines: made.map(({ id }) => ({ pharmacyOrderId: `case_${id}`, amountCents: billedCents })),
    });
    const reconciled = (Date.now() - began) / 1000;
    const mib = memoryMiB([dev.pids.workers]);
    return [
      {
        figure: `${days} days of ${orders} orders, closed in turn`,
        measured: `${closed.toFixed(1)} s; the longest day ${(longest / 1000).toFixed(1)} s`,
        goal: '<= 60 s',
      },
      { figure: 'matched, different', measured: `${matched}, ${differences}`, goal: `${orders}, 0` },
      { figure: `a statement of ${orders} lines`, measured: `${reconciled.toFixed(1)} s`, goal: '<= 60 s' },
      {
        figure: 'matched, different',
        measured: `${statement.matched}, ${statement.differences}`,
        goal: `${orders}, 0`,
      },
      {
        figure: `memory of the workers, every ${memoryEvery} days, then after the statement`,
        measured: `${[...held, mib].map((mib) => mib.toFixed(0)).join(', ')} MiB`,
        goal: 'flat',
      },
    ];
  } finally {
    await sql.end();
    await system.stop(1_500);
  }
}

/** The charges and labels of the month, as the simulated parties read them at their start. */
function writeLedgers(folder: string, orders: readonly Order[]): void {
  mkdirSync(folder, { recursive: true });
  const charges = orders.map(({ id, at }) => ({
    id: `ch_${id}`,
    object: 'charge',
    created: Date.parse(at) / 1000,
    livemode: false,
    metadata: {},
    status: 'succeeded',
    amount: cents,
    currency: 'usd',
    customer: 'cus_bench',
    payment_intent: `pi_${id}`,
    payment_method: null,
    paid: true,
    captured: true,
    amount_refunded: 0,
    refunded: false,
    failure_code: null,
    failure_message: null,
  }));
  append(
    join(folder, 'stripe.jsonl'),
    charges.map((charge) => ({ put: [charge], deleted: [] })),
  );
  const labels = orders.map(({ id, at }) => ({
    idempotencyKey: `shipment:${id}`,
    body: { reference: id, pharmacy: 'pharmacy_a', kind: 'label' },
    answer: { shipmentId: `shp_${id}`, trackingNumber: `1Z${id}`, carrier: 'ups', labelUrl: '' },
    at,
  }));
  append(join(folder, 'shipments.jsonl'), labels);
}

const append = (file: string, lines: readonly object[]): void =>
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

async function insertOrders(sql: Sql, orders: readonly Order[]): Promise<void> {
  const rows = sql.json(orders.map((order) => ({ ...order })));
  const from = sql`from jsonb_to_recordset(${rows}) as made (id uuid, at timestamptz)`;
  await sql`
    insert into router.submission (
      id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy, is_test,
      request_payload, payload_hash, claim_id, outcome, status, pharmacy_order_id, submitted_at, created_at, shipped_at
    )
    select id, 'orchestrator', 'orchestrator', id, '', 'NY', 'Bench', 'pharmacy_a', false, '{}', '', id, 'accepted',
      'shipped', 'case_' || id, at, at, at
    ${from}
  `;
  await sql`
    insert into orchestrator.payment
      (task_id, emr_patient_id, payment_intent_id, amount_cents, status, created_at, updated_at, paid_at)
    select id, id, 'pi_' || id, ${cents}, 'succeeded', at, at, at ${from}
  `;
  await sql`
    insert into orchestrator.shipment (submission_id, task_id, pharmacy, state, shipment_id, created_at)
    select id, id, 'pharmacy_a', 'label_created', 'shp_' || id, at ${from}
  `;
  await sql`analyze`;
}
