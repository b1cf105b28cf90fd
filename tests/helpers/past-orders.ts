import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../../db/client.js';

/** An order of the past, whose ids in all books follow from this one. */
export interface PastOrder {
  id: string;
  at: string;
}

/** Adds to the books of the simulated parties, which they read at their start. */
export function addToBooks(
  stateDir: string,
  { stripe = [], labels = [] }: { stripe?: readonly object[]; labels?: readonly object[] },
): void {
  const folder = join(stateDir, 'sandbox');
  mkdirSync(folder, { recursive: true });
  const add = (file: string, entries: readonly object[]) =>
    appendFileSync(join(folder, file), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  add(
    'stripe.jsonl',
    stripe.map((object) => ({ put: [object], deleted: [] })),
  );
  add('shipments.jsonl', labels);
}

const base = (id: string, at: string) => ({
  id,
  created: Date.parse(at) / 1000,
  livemode: false,
  metadata: {},
  currency: 'usd',
  status: 'succeeded',
});

export const chargeOf = ({ id, at }: PastOrder, amount: number) => ({
  ...base(`ch_${id}`, at),
  object: 'charge',
  amount,
  customer: 'cus_past',
  payment_intent: `pi_${id}`,
  payment_method: null,
  paid: true,
  captured: true,
  amount_refunded: 0,
  refunded: false,
  failure_code: null,
  failure_message: null,
});

export const refundOf = ({ id, at }: PastOrder, amount: number) => ({
  ...base(`re_${id}`, at),
  object: 'refund',
  amount,
  charge: `ch_${id}`,
  payment_intent: `pi_${id}`,
  reason: null,
});

/** @param n from 1: the first label, or one more */
export const labelOf = ({ id, at }: PastOrder, n = 1) => ({
  idempotencyKey: `shipment:${id}:${n}`,
  body: { reference: id, pharmacy: 'pharmacy_a', kind: 'label' },
  answer: {
    shipmentId: `shp_${id}_${n}`,
    trackingNumber: `1Z${id}`,
    carrier: 'ups',
    labelUrl: '',
  },
  at,
});

const rowsOf = (sql: Sql, orders: readonly PastOrder[]) =>
  sql`from jsonb_to_recordset(${sql.json(orders.map((order) => ({ ...order })))}) as made (id uuid, at timestamptz)`;

/** Orders that the router placed and the pharmacy shipped, each with its label. */
export async function insertOrders(sql: Sql, orders: readonly PastOrder[]): Promise<void> {
  await sql`
    insert into router.submission (
      id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy, is_test,
      request_payload, payload_hash, claim_id, outcome, status, pharmacy_order_id, submitted_at, created_at, shipped_at
    )
    select id, 'orchestrator', 'orchestrator', id, '', 'NY', 'Past', 'pharmacy_a', false, '{}', '', id, 'accepted',
      'shipped', 'case_' || id, at, at, at
    ${rowsOf(sql, orders)}
  `;
  await sql`
    insert into orchestrator.shipment (submission_id, task_id, pharmacy, state, shipment_id, created_at)
    select id, id, 'pharmacy_a', 'label_created', 'shp_' || id || '_1', at ${rowsOf(sql, orders)}
  `;
}

/** What our own rows say of their charges. */
export async function insertPayments(
  sql: Sql,
  orders: readonly PastOrder[],
  cents: number,
  refundedCents = 0,
): Promise<void> {
  await sql`
    insert into orchestrator.payment
      (task_id, emr_patient_id, payment_intent_id, amount_cents, refunded_cents, status, created_at, updated_at, paid_at)
    select id, id, 'pi_' || id, ${cents}, ${refundedCents}, 'succeeded', at, at, at ${rowsOf(sql, orders)}
  `;
}
