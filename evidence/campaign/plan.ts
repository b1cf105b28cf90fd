import { type Random, seeded } from '../../tests/helpers/random.js';

export type StoryKind =
  | 'approve'
  | 'cancel'
  | 'refused'
  | 'refill'
  | 'mended'
  | 'elsewhere'
  | 'replaced'
  | 'missing'
  | 'parcels'
  | 'submit'
  | 'intake'
  | 'create';

export interface PlannedStory {
  kind: StoryKind;
  state: string;
  /** Concurrent copies of the same request. */
  atOnce: number;
  /** True if the patient pays for a replacement, and if a lost order goes to the other pharmacy. */
  isOther: boolean;
  /** Faults of external services during the story, for the next caller. */
  faults: readonly PlannedFault[];
}

export interface PlannedFault {
  target: string;
  operation: string;
  kind: 'lost-answer' | 'delay' | 'status' | 'drop';
  times: number;
  status?: number;
  delayMs?: number;
  retryAfterSeconds?: number;
}

/** A slice of a campaign, on its own system. */
export interface Plan {
  seed: number;
  slice: number;
  stories: PlannedStory[];
  /** Concurrent requests. */
  lanes: number;
  /** Milliseconds between two harms. */
  harmEveryMs: [number, number];
  /** Targets by weight; `start` is the supervisor, and its kill costs a whole restart. */
  targets: Partial<Record<Target, number>>;
  /** Harms by weight; `cut` ends some database connections in any transaction. */
  harms: Partial<Record<HarmKind, number>>;
  mostHarms: number;
  split: boolean;
  /** How long the processor keeps idempotency keys: longer than a call takes. Stripe keeps them for a day. */
  keysKeptSeconds: number;
}
export type HarmKind = 'kill' | 'freeze' | 'cut';
export type Target = 'api' | 'workers' | 'temporal' | 'postgres' | 'sandbox' | 'start';

const usualTargets: Plan['targets'] = { api: 3, workers: 5, temporal: 2, postgres: 2, sandbox: 1, start: 1 };
const usualHarms: Plan['harms'] = { kill: 70, freeze: 18, cut: 12 };
/** The long tier: many concurrent requests, and mostly kills of workers, since they do the work. */
export const long: Pick<Plan, 'lanes' | 'harmEveryMs' | 'targets'> = {
  lanes: 40,
  harmEveryMs: [2_200, 5_200],
  targets: { api: 2, workers: 12, temporal: 1.6, postgres: 1.6, sandbox: 0.5, start: 0.5 },
};
const mostlyApprovals: Record<StoryKind, number> = {
  approve: 50,
  cancel: 7,
  refused: 5,
  refill: 6,
  mended: 4,
  elsewhere: 4,
  replaced: 5,
  missing: 4,
  parcels: 4,
  submit: 6,
  intake: 4,
  create: 4,
};

/** The external calls of a story that may be lost or repeated. */
const effectsOf = (
  kind: StoryKind,
  state: string,
): readonly (readonly [target: string, operation: string])[] => {
  if (kind === 'intake' || kind === 'create') return [['emr', 'create']];
  const order = [state === 'TX' ? 'pharmacy_b' : 'pharmacy_a', 'order'] as const;
  if (kind === 'submit') return [order];
  const others = [
    ['stripe', 'paymentIntents.create'],
    ['smtp', 'send'],
  ] as const;
  // The shipping service and the patient hear of each parcel.
  if (kind === 'parcels') return [['shipping', 'create'] as const, others[1]];
  // Only pharmacy_c does not ship by itself.
  return [order, ...others, ...(state === 'NY' ? [['shipping', 'create'] as const] : [])];
};

/** The seed determines the plan; the timing on the machine stays random. */
export function planOf(
  options: Pick<Plan, 'seed' | 'slice' | 'split'> & {
    stories: number;
    kinds?: Partial<Record<StoryKind, number>>;
    /** Shares of stories that lose an answer or meet another fault. */
    lost?: number;
    other?: number;
    /** Faults of every story, in place of random ones. */
    faults?: readonly PlannedFault[];
  } & Partial<Pick<Plan, 'lanes' | 'harmEveryMs' | 'targets' | 'harms' | 'mostHarms' | 'keysKeptSeconds'>>,
): Plan {
  const { seed, slice, split, lanes = 6, harmEveryMs = [1_500, 5_000], targets = usualTargets } = options;
  const { harms = usualHarms, mostHarms = Infinity } = options;
  const { keysKeptSeconds = 6, kinds = mostlyApprovals, lost = 0.35, other = 0.25 } = options;
  const random = seeded(seed, slice);
  // A slice with room for them has each kind at least once.
  const all = Object.keys(kinds) as StoryKind[];
  const each = options.stories > all.length ? all : [];
  const stories = Array.from({ length: options.stories }, (_, index): PlannedStory => {
    const drawnKind = random.weighted(kinds as Record<StoryKind, number>);
    const kind = each[index] ?? drawnKind;
    const drawnState = random.oneOf(['NY', 'TX', 'WA']);
    // pharmacy_c ships with our label, which is the only one.
    const state = kind === 'parcels' && drawnState === 'NY' ? 'WA' : drawnState;
    const atOnce = random.chance(0.3) ? 3 : 1;
    const isOther = random.chance(0.5);
    const drawn = faultOf(random, random.oneOf(effectsOf(kind, state)), lost, other);
    return { kind, state, atOnce, isOther, faults: options.faults ?? (drawn ? [drawn] : []) };
  });
  return { seed, slice, split, stories, lanes, harmEveryMs, targets, harms, mostHarms, keysKeptSeconds };
}

function faultOf(
  random: Random,
  [target, operation]: readonly [string, string],
  lost: number,
  other: number,
): PlannedFault | null {
  const drawn = random.next();
  if (drawn < lost) {
    // Sometimes it loses every answer that a step waits for.
    const times = target.startsWith('pharmacy') && random.chance(0.15) ? 3 : 1;
    return { target, operation, kind: 'lost-answer', times };
  }
  if (drawn >= lost + other) return null;
  const common = { target, operation, times: 1 };
  switch (random.oneOf(['delay', 'status', 'later', 'drop'] as const)) {
    case 'delay':
      return { ...common, kind: 'delay', delayMs: Math.round(random.between(500, 3_000)) };
    case 'status':
      return { ...common, kind: 'status', status: target === 'smtp' ? 451 : 503 };
    case 'later':
      return target === 'smtp'
        ? { ...common, kind: 'drop' }
        : { ...common, kind: 'status', status: 429, retryAfterSeconds: 1 };
    case 'drop':
      return { ...common, kind: 'drop' };
  }
}
