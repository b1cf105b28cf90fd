import { addDays, type CalendarDay } from '../calendar.js';
import { nextFillDate, shippingBufferDays } from './refills.js';

/** One rung of a course of treatment: a medication at a dose, filled some times (D125). */
export interface PlanPhase {
  /** From 1. */
  n: number;
  medication: string;
  dosage: string | null;
  fills: number;
  daysSupply: number;
  checkIn: 'none' | 'phase' | 'fill';
  decision: 'none' | 'phase';
  sent: number;
}

export const planStates = ['active', 'waiting', 'paused', 'completed', 'stopped'] as const;
export type PlanState = (typeof planStates)[number];

/** Prefix of the workflow ids of plans (D128). */
export const planRunPrefix = 'plan:';

export const askedThings = ['check_in', 'decision', 'renewal'] as const;
export const askedReasons = ['fill', 'phase', 'flagged', 'gap', 'cancelled', 'renewal'] as const;
/** The answer that a gate asks for, and why. */
interface Asked {
  what: (typeof askedThings)[number];
  because: (typeof askedReasons)[number];
}
interface Waiting extends Asked {
  fill: number;
  /** ISO 8601. */
  since: string;
  /** The day of the fill. */
  dueAt: CalendarDay;
}

/** Where a plan stands before its next fill. */
export interface PlanPosition {
  phases: readonly PlanPhase[];
  /** The next fill's; the last one's once all are sent. */
  phase: number;
  /** The next fill is the first since its phase was entered. */
  isFirst: boolean;
  /** Number of the next fill over all. */
  fill: number;
  nextFillDate: CalendarDay;
  lastFillDate: CalendarDay;
  /** The last fill's. */
  lastDaysSupply: number;
  /** A fill was sent, here or elsewhere. */
  hadFirst: boolean;
  /** As last reported. */
  daysOnHand: number;
  prescribedUntil: CalendarDay;
  /** The fill of the newest check-in. */
  checkedFill: number | null;
  /** A check-in was flagged, and nobody has decided since. */
  isFlagged: boolean;
  /** A fill was cancelled, and nobody has decided since. */
  isCancelled: boolean;
  /** The fill of the newest decision. */
  decidedFill: number | null;
  /** The person who gave that decision knew of the gap before the fill. */
  isGapDecided: boolean;
  /** The fill that was asked for. */
  askedFill: number | null;
  waiting: readonly Waiting[];
}

/** A check-in comes at most this many days before its fill. */
export const checkInDaysAhead = 14;
/** How long a new prescription counts where a plan names no day. */
export const prescribedDays = 365;

export const phaseOf = ({ phases, phase }: Pick<PlanPosition, 'phases' | 'phase'>): PlanPhase => {
  const current = phases[phase - 1];
  if (!current) throw new RangeError('A plan has no such phase');
  return current;
};

/** The first phase from `n` on with fills left; undefined past the last fill. */
const phaseFrom = (phases: readonly PlanPhase[], n: number): PlanPhase | undefined =>
  phases.find((phase) => phase.n >= n && phase.sent < phase.fills);

export const fillsSent = (phases: readonly PlanPhase[]): number =>
  phases.reduce((sum, { sent }) => sum + sent, 0);
export const totalFills = (phases: readonly PlanPhase[]): number =>
  phases.reduce((sum, { fills }) => sum + fills, 0);

/** The answer that the next fill needs, whether it goes out today or when it is due (D126). */
export function gateOf(plan: PlanPosition, today: CalendarDay): Asked[] {
  const { fill, isFirst, isFlagged, isCancelled, hadFirst, checkedFill, decidedFill } = plan;
  const { checkIn, decision } = phaseOf(plan);
  const asked: Asked[] = [];
  const decide = (because: Asked['because']) => asked.push({ what: 'decision', because });
  if (!hadFirst) {
    // The one thing that is asked before a first fill: what to do after a cancelled one.
    if (isCancelled) decide('cancelled');
    return asked;
  }
  if (checkedFill !== fill) {
    if (checkIn === 'fill') asked.push({ what: 'check_in', because: 'fill' });
    else if (checkIn === 'phase' && isFirst) asked.push({ what: 'check_in', because: 'phase' });
  }
  const isDecided = decidedFill === fill;
  if (isFlagged) decide('flagged');
  else if (isGapBefore(plan, today) && !(isDecided && plan.isGapDecided)) decide('gap');
  else if (isCancelled) decide('cancelled');
  else if (decision === 'phase' && isFirst && !isDecided) decide('phase');
  if (sendsOn(plan, today) > plan.prescribedUntil) asked.push({ what: 'renewal', because: 'renewal' });
  return asked;
}

const sendsOn = ({ nextFillDate }: PlanPosition, today: CalendarDay): CalendarDay =>
  nextFillDate < today ? today : nextFillDate;

/** The patient is without medication for longer than half a supply before the fill. */
const isGapBefore = (plan: PlanPosition, today: CalendarDay): boolean =>
  sendsOn(plan, today) > addDays(plan.lastFillDate, Math.floor(plan.lastDaysSupply * 1.5) + plan.daysOnHand);

/**
 * The answer that a plan waits for now (D126). Nothing until it was asked, or the fill is due.
 * @param askDays the daily check asks this many days before the fill; undefined for a change, which never asks first
 */
export function judgePlan(
  plan: PlanPosition,
  { today, now, askDays }: { today: CalendarDay; now: string; askDays?: number | undefined },
): Pick<PlanPosition, 'askedFill' | 'waiting'> {
  const { fill, nextFillDate: dueAt, askedFill } = plan;
  const isAsked = askedFill === fill || dueAt <= addDays(today, askDays ?? 0);
  if (!isAsked) return { askedFill, waiting: [] };
  const waiting = gateOf(plan, today).map((asked) => {
    const since = plan.waiting.find((earlier) => earlier.what === asked.what && earlier.fill === fill)?.since;
    return { ...asked, fill, since: since ?? now, dueAt };
  });
  return { askedFill: fill, waiting };
}

/** The n-th fill of a phase was sent. @returns undefined past the last fill */
export function afterFill(
  plan: PlanPosition,
  sent: { n: number; phase: number; daysSupply: number },
  today: CalendarDay,
): { plan: PlanPosition; isLast: boolean } {
  const phases = plan.phases.map((phase) =>
    phase.n === sent.phase ? { ...phase, sent: phase.sent + 1 } : phase,
  );
  const next = phaseFrom(phases, plan.phase);
  return {
    isLast: next === undefined,
    plan: {
      ...plan,
      phases,
      phase: next?.n ?? plan.phase,
      isFirst: next !== undefined && next.n !== sent.phase,
      fill: sent.n + 1,
      lastFillDate: today,
      lastDaysSupply: sent.daysSupply,
      nextFillDate: nextFillDate(today, sent.daysSupply),
      hadFirst: true,
      waiting: [],
    },
  };
}

/** A fill was cancelled: it gives its place back, and a decision is asked for the next (D125). */
export function afterCancelledFill(
  plan: PlanPosition,
  cancelled: { n: number; phase: number; isFirst: boolean; wasCounted: boolean },
): PlanPosition {
  const { n, phase, isFirst, wasCounted } = cancelled;
  const phases = plan.phases.map((one) =>
    wasCounted && one.n === phase ? { ...one, sent: Math.max(0, one.sent - 1) } : one,
  );
  return {
    ...plan,
    phases,
    phase,
    isFirst,
    fill: Math.max(plan.fill, n + 1),
    hadFirst: plan.hadFirst && fillsSent(phases) > 0,
    isCancelled: true,
    waiting: [],
  };
}

/** The patient's report. @param days how long what is left lasts, if the patient says so */
export function afterCheckIn(
  plan: PlanPosition,
  { flagged, daysOnHand }: { flagged: boolean; daysOnHand: number | null },
  today: CalendarDay,
): PlanPosition {
  const moved = daysOnHand === null ? plan.nextFillDate : addDays(today, daysOnHand - shippingBufferDays);
  return {
    ...plan,
    checkedFill: plan.fill,
    isFlagged: plan.isFlagged || flagged,
    daysOnHand: daysOnHand ?? plan.daysOnHand,
    nextFillDate: moved > plan.nextFillDate ? moved : plan.nextFillDate,
  };
}

/** Applies the prescriber's decision: the next fill belongs to that phase. A phase without fills left gets one more. */
export function afterDecision(plan: PlanPosition, phase: number, today: CalendarDay): PlanPosition {
  const phases = plan.phases.map((one) =>
    one.n === phase && one.sent >= one.fills ? { ...one, fills: one.fills + 1 } : one,
  );
  return {
    ...plan,
    phases,
    phase,
    isFirst: plan.isFirst || phase !== plan.phase,
    decidedFill: plan.fill,
    isGapDecided: isGapBefore(plan, today),
    isFlagged: false,
    isCancelled: false,
  };
}

interface NewPlan {
  phases: readonly Omit<PlanPhase, 'n' | 'sent'>[];
  startDate: CalendarDay;
  prescribedUntil: CalendarDay;
  /** A course that began elsewhere. */
  running?: { phase: number; sent: number; lastFillDate: CalendarDay } | undefined;
}

/** Where a new plan stands. @returns undefined if its course has no fill left */
export function beginPlan({ running, ...plan }: NewPlan): PlanPosition | undefined {
  const phases = plan.phases.map((phase, index) => ({
    ...phase,
    n: index + 1,
    sent: running ? sentBefore(running, index + 1, phase.fills) : 0,
  }));
  const next = phaseFrom(phases, running?.phase ?? 1);
  if (!next) return undefined;
  const last = phases.findLast(({ sent }) => sent > 0) ?? next;
  const lastFillDate = running?.lastFillDate ?? addDays(plan.startDate, -next.daysSupply);
  return {
    phases,
    phase: next.n,
    isFirst: next.sent === 0,
    fill: fillsSent(phases) + 1,
    nextFillDate: running ? nextFillDate(lastFillDate, last.daysSupply) : plan.startDate,
    lastFillDate,
    lastDaysSupply: last.daysSupply,
    hadFirst: running !== undefined,
    daysOnHand: 0,
    prescribedUntil: plan.prescribedUntil,
    checkedFill: null,
    isFlagged: false,
    isCancelled: false,
    decidedFill: null,
    isGapDecided: false,
    askedFill: null,
    waiting: [],
  };
}

const sentBefore = (running: { phase: number; sent: number }, n: number, fills: number): number => {
  if (n === running.phase) return running.sent;
  return n < running.phase ? fills : 0;
};
