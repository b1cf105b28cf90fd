import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoCase } from './cases.js';
import type { Facts } from './facts.js';
import type { FinishedRun } from './watch-run.js';

export interface Finding {
  what: string;
  expected: string;
  found: string;
}

/** Compares each expectation of the case with the records. */
export function findings({ expected }: DemoCase, run: FinishedRun, facts: Facts): Finding[] {
  const common = [finding('status', expected.status, run.status)];
  if (expected.status === 'failed')
    return [
      ...common,
      finding('failed step', expected.failedStep, run.failedStep),
      finding('error', expected.error, run.error),
      finding('pharmacy orders', 0, facts.orderCount),
      finding('charged', 'nothing', cents(facts.chargedCents)),
      finding('patient notified', 'nobody', list(facts.toldBy, 'nobody')),
    ];
  return [
    ...common,
    finding('warnings', list(expected.warnings, 'none'), list(run.warnings, 'none')),
    finding('pharmacy', expected.pharmacy, facts.pharmacy),
    finding('pharmacy orders', 1, facts.orderCount),
    finding('prescriber of the order', facts.registryPhysician?.npi, facts.orderedBy),
    finding('prescriber', expected.prescriberSuffix, facts.registryPhysician?.suffix),
    finding(
      'charged',
      expected.charged ? cents([facts.priceCents ?? 0]) : 'nothing',
      cents(facts.chargedCents),
    ),
    finding('labels', expected.labelMade ? 1 : 0, facts.labels.length),
    finding('patient notified', 'email, sms', list(facts.toldBy, 'nobody')),
  ];
}

const pollMs = 200;
/** E-mails and events arrive a little later than answers. */
const settledWithinMs = 30_000;

/** Polls all services until the records match. @returns the last findings */
export async function settledFindings(look: () => Promise<Finding[]>): Promise<Finding[]> {
  const deadline = Date.now() + settledWithinMs;
  for (;;) {
    const found = await look();
    if (found.every(holds) || Date.now() >= deadline) return found;
    await sleep(pollMs);
  }
}

export const holds = ({ expected, found }: Finding): boolean => expected === found;

export const line = (one: Finding): string =>
  holds(one)
    ? `ok      ${one.what}: ${one.found}`
    : `NOT OK  ${one.what}: expected ${one.expected}, found ${one.found}`;

type Value = string | number | null | undefined;
export const finding = (what: string, expected: Value, found: Value): Finding => ({
  what,
  expected: String(expected ?? 'none'),
  found: String(found ?? 'none'),
});
export const list = (values: readonly string[], none: string): string => values.join(', ') || none;
export const cents = (amounts: readonly number[]): string =>
  amounts.map((amount) => `$${(amount / 100).toFixed(2)}`).join(' and ') || 'nothing';
