import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compiledSources } from '../../dev/compile.js';
import { type classes, type Finding } from './records.js';
import { type PlannedFault, planOf } from './plan.js';
import { sliceOnItsOwn } from './slice.js';

interface Guard {
  name: string;
  /** A path in the compiled sources. */
  file: string;
  /** The guarded code and its replacement. */
  taken: [string, string];
  plan: Omit<Parameters<typeof planOf>[0], 'seed' | 'slice'>;
  /** The finding without the guard. */
  expected: (typeof classes)[number];
}

const lost = (target: string, operation: string, times: number): PlannedFault => ({
  target,
  operation,
  times,
  kind: 'lost-answer',
});
const few = { stories: 12, split: true, lanes: 4, lost: 0, other: 0 };
/** Concurrently, so that a kill of the workers meets many at the same step. */
const together = {
  ...few,
  lanes: 12,
  kinds: { approve: 1 },
  targets: { workers: 1 },
  harms: { kill: 1 },
  mostHarms: 6,
} as const;

/** Each guard against lost or repeated effects. Without it, a slice must report a finding. */
export const guards: Guard[] = [
  {
    name: "the order's key follows from the order",
    file: 'integrations/pharmacies/orders.js',
    taken: ['idempotencyKey: `${submissionId}-${call.try}`', 'idempotencyKey: crypto.randomUUID()'],
    plan: { ...few, kinds: { approve: 1 }, faults: [lost('pharmacy_a', 'order', 1)] },
    expected: 'twice',
  },
  {
    name: 'a repeat of an order with an unknown outcome reuses the claim',
    file: 'domain/router/submission.js',
    taken: ["'sameTry' : 'unknownOutcome'", "'nextTry' : 'nextTry'"],
    plan: { ...few, kinds: { submit: 1 }, faults: [lost('pharmacy_a', 'order', 3)] },
    expected: 'twice',
  },
  {
    name: 'a charge is looked up before it is repeated',
    file: 'integrations/stripe/client.js',
    taken: ["intent.metadata['charge_key'] === chargeKey", "intent.metadata['charge_key'] === 'never'"],
    plan: {
      ...few,
      kinds: { approve: 1 },
      targets: { workers: 1 },
      keysKeptSeconds: 0.2,
      faults: [lost('stripe', 'paymentIntents.create', 1)],
    },
    expected: 'twice',
  },
  {
    name: 'callbacks are read in order',
    file: 'db/router/callbacks.js',
    taken: ['order by sequence\n    limit 1', 'order by sequence desc\n    limit 1'],
    plan: { ...few, kinds: { submit: 1 } },
    expected: 'out of order',
  },
  {
    name: 'a lost worker uses no retry budget',
    file: 'workers/workflow-bundle.js',
    taken: ['const maxLostWorkers = 20', 'const maxLostWorkers = 0'],
    plan: {
      // Longer than the local attempt lasts (2.5 s), so the kill meets the middle of the next attempt.
      ...together,
      harmEveryMs: [3_600, 4_600],
      faults: [{ target: 'emr', operation: 'read', kind: 'delay', delayMs: 2_600, times: 6 }],
    },
    expected: 'our own outage',
  },
  {
    name: 'an order again, and a refill tried again, keep their claim while the outcome is unknown',
    file: 'domain/router/submission.js',
    taken: ["'sameTry' : 'unknownOutcome'", "'nextTry' : 'nextTry'"],
    plan: { ...few, kinds: { missing: 1, mended: 1 }, faults: [lost('pharmacy_a', 'order', 3)] },
    expected: 'twice',
  },
  {
    name: 'an order has one replacement under way',
    file: 'db/orchestrator/replacements.js',
    taken: ['if (last && !isOver(last.state)) return', 'if (last && false) return'],
    plan: { ...few, kinds: { replaced: 1 } },
    expected: 'twice',
  },
  {
    name: 'the address of a refill outranks that of the EMR',
    file: 'activities/orchestrator/patients.js',
    taken: ['return shipTo ? {', 'return shipTo && false ? {'],
    plan: { ...few, stories: 6, kinds: { elsewhere: 1 } },
    expected: 'wrong address',
  },
  {
    name: 'the key of a parcel follows from its order and number',
    file: 'activities/orchestrator/shipment-updates.js',
    taken: ['idempotencyKey: trackingKey(submissionId, n)', 'idempotencyKey: crypto.randomUUID()'],
    plan: { ...few, stories: 6, kinds: { parcels: 1 }, faults: [lost('shipping', 'create', 1)] },
    expected: 'twice',
  },
  {
    name: 'an order again stands under its task in the close',
    file: 'db/orchestrator/closes.js',
    taken: ['where ref.reference = under)', "where ref.reference = '')"],
    plan: { ...few, stories: 6, kinds: { missing: 1 } },
    expected: 'unlike the close',
  },
  {
    name: 'a label stands under its order in the close',
    file: 'db/orchestrator/closes.js',
    taken: ["known.kind = 'order' and known.id = under", "known.kind = 'order' and known.id = ''"],
    plan: { ...few, stories: 6, kinds: { approve: 1 } },
    expected: 'unlike the close',
  },
];

export interface ControlResult {
  name: string;
  expected: string;
  findings: Record<string, number>;
  /** The same plan with the guard in place. */
  intact: Record<string, number>;
  /** True if the expected finding appears without the guard and none with it. */
  failed: boolean;
}

/**
 * Runs a slice on a copy of the product without one guard, and again on the product. @throws Error if the guard's
 * code has changed
 */
export const runControl = (
  guard: Guard,
  seed: number,
  by: Pick<Parameters<typeof sliceOnItsOwn>[1], 'say' | 'interrupted'>,
): Promise<ControlResult> =>
  withoutGuard(guard, async (sources) => {
    const plan = planOf({ ...guard.plan, seed, slice: 0 });
    const { findings } = await sliceOnItsOwn(plan, { ...by, sources });
    const intact = await sliceOnItsOwn(plan, by);
    for (const { class: kind, what, about } of intact.findings) by.say(`FOUND ${kind}: ${what} (${about})`);
    return {
      name: guard.name,
      expected: guard.expected,
      findings: byClass(findings),
      intact: byClass(intact.findings),
      failed: findings.some(({ class: kind }) => kind === guard.expected) && intact.findings.length === 0,
    };
  });

/** Copies the compiled product without one guard. @throws Error if the guard's code has changed */
export async function withoutGuard<T>(guard: Guard, work: (sources: string) => Promise<T>): Promise<T> {
  const sources = await compiledSources();
  const copy = await mkdtemp(join(dirname(sources), 'control-'));
  try {
    const changed = await codeWithout(guard, sources);
    await cp(sources, copy, { recursive: true });
    await writeFile(join(copy, guard.file), changed);
    return await work(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/**
 * The code of a guard's file without the guard.
 * @param sources the folder of the compiled product
 * @throws Error if the guard's code has changed
 */
export async function codeWithout(
  { file, taken: [present, instead] }: Guard,
  sources: string,
): Promise<string> {
  const code = await readFile(join(sources, file), 'utf8');
  if (code.split(present).length !== 2) throw new Error(`${file} has not one place of: ${present}`);
  return code.replace(present, () => instead);
}

export function byClass(findings: readonly Finding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { class: kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
