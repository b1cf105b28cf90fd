import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DifferenceKind, differenceKinds } from '../../../domain/orchestrator/daily-close.js';
import { eventually, sandbox } from '../../helpers/client.js';
import {
  addToBooks,
  chargeOf,
  insertOrders,
  insertPayments,
  labelOf,
  type PastOrder,
  refundOf,
} from '../../helpers/past-orders.js';
import { dev, sql, stateDir } from '../faulty-system.js';

export const cents = 29_900;

export const ordersOf = (day: string, count: number): PastOrder[] =>
  Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    at: new Date(Date.parse(`${day}T15:00:00.000Z`) + n * 1_000).toISOString(),
  }));

/** Orders that stand in every book. */
export async function plantSound(orders: readonly PastOrder[]): Promise<void> {
  await insertOrders(sql, orders);
  await insertPayments(sql, orders, cents);
  addToBooks(stateDir, {
    stripe: orders.map((order) => chargeOf(order, cents)),
    labels: orders.map((order) => labelOf(order)),
  });
}

export type Planted = Record<DifferenceKind, PastOrder[]>;

/** Orders that differ, so many of each kind, in the books of the parties and our own. */
export async function plantDifferences(day: string, several: number): Promise<Planted> {
  const planted = Object.fromEntries(
    differenceKinds.map((kind) => [kind, ordersOf(day, several)]),
  ) as Planted;
  const but = (...left: DifferenceKind[]) =>
    differenceKinds.filter((kind) => !left.includes(kind)).flatMap((kind) => planted[kind]);
  const nowhere = ['charge_not_ours', 'label_without_order'] as const;
  const { refund_missing_there: unpaidBack, refund_amount: otherwise } = planted;
  await insertOrders(sql, but(...nowhere, 'charge_without_order'));
  await insertPayments(
    sql,
    but(...nowhere, 'order_without_charge', 'refund_missing_there', 'refund_amount'),
    cents,
  );
  await insertPayments(sql, [...unpaidBack, ...otherwise], cents, 500);
  addToBooks(stateDir, {
    stripe: [
      ...but('label_without_order', 'order_without_charge', 'charge_missing_there').map((order) =>
        chargeOf(order, planted.charge_amount.includes(order) ? cents + 1 : cents),
      ),
      ...[...planted.refund_not_ours, ...otherwise].map((order) => refundOf(order, 400)),
    ],
    labels: [
      ...but('charge_not_ours', 'charge_without_order', 'order_without_label').map((order) => labelOf(order)),
      ...planted.label_twice.map((order) => labelOf(order, 2)),
    ],
  });
  return planted;
}

/** Each planted thing becomes what it should be. */
export async function takeBack(planted: Planted): Promise<void> {
  await insertPayments(sql, planted.order_without_charge, cents);
  await insertOrders(sql, planted.charge_without_order);
  addToBooks(stateDir, {
    stripe: [
      ...[...planted.order_without_charge, ...planted.charge_missing_there, ...planted.charge_amount].map(
        (order) => chargeOf(order, cents),
      ),
      ...planted.charge_not_ours.map((order) => refundOf(order, cents)),
      ...planted.refund_not_ours.map((order) => ({ ...refundOf(order, 400), status: 'failed' })),
      ...[...planted.refund_missing_there, ...planted.refund_amount].map((order) => refundOf(order, 500)),
    ],
    labels: planted.order_without_label.map((order) => ({ ...labelOf(order), at: new Date().toISOString() })),
  });
  const voided = new Set([
    ...planted.label_without_order.map((order) => labelOf(order).answer.shipmentId),
    ...planted.label_twice.map((order) => labelOf(order, 2).answer.shipmentId),
  ]);
  const file = join(stateDir, 'sandbox', 'shipments.jsonl');
  const isKept = (line: string) =>
    line === '' || !voided.has((JSON.parse(line) as { answer: { shipmentId: string } }).answer.shipmentId);
  writeFileSync(file, readFileSync(file, 'utf8').split('\n').filter(isKept).join('\n'));
}

/** The parties read their books at their start. */
export async function restartParties(): Promise<void> {
  const pid = dev.pids.sandbox;
  process.kill(pid, 'SIGKILL');
  await eventually(async () => dev.pids.sandbox !== pid && sandbox(dev, '/faults').catch(() => undefined));
}
