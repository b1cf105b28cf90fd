import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../../../domain/calendar.js';
import {
  afterCancelledFill,
  afterCheckIn,
  afterDecision,
  afterFill,
  beginPlan,
  fillsSent,
  gateOf,
  judgePlan,
  phaseOf,
  type PlanPhase,
  type PlanPosition,
} from '../../../domain/orchestrator/plans.js';

const start = '2026-01-05';
const rung = (fields: Partial<PlanPhase> = {}) => ({
  medication: 'semaglutide',
  dosage: null,
  fills: 2,
  daysSupply: 28,
  checkIn: 'phase' as const,
  decision: 'phase' as const,
  ...fields,
});
const begin = (phases = [rung(), rung({ dosage: 'twice as much' })], fields = {}): PlanPosition => {
  const plan = beginPlan({ phases, startDate: start, prescribedUntil: addDays(start, 365), ...fields });
  if (!plan) throw new Error('No fill is left');
  return plan;
};
/** Sends the next fill on its day. */
const send = (plan: PlanPosition, day = plan.nextFillDate) => {
  const { n, daysSupply } = phaseOf(plan);
  return afterFill(plan, { n: plan.fill, phase: n, daysSupply }, day).plan;
};
const sendAll = (plan: PlanPosition, fills: number): PlanPosition =>
  fills === 0 ? plan : sendAll(send(plan), fills - 1);
const asks = (plan: PlanPosition, day = plan.nextFillDate) =>
  gateOf(plan, day).map(({ what, because }) => `${what}:${because}`);

describe('a gate', () => {
  test('asks nothing before the first fill', () => {
    expect(asks(begin([rung({ checkIn: 'fill' })]))).toEqual([]);
  });

  test('asks for a check-in and a decision before the first fill of a phase', () => {
    expect(asks(send(begin()))).toEqual([]);
    expect(asks(sendAll(begin(), 2))).toEqual(['check_in:phase', 'decision:phase']);
    expect(asks(sendAll(begin(), 3))).toEqual([]);
  });

  test('asks for a check-in before each fill where the phase says so', () => {
    expect(asks(send(begin([rung({ checkIn: 'fill', fills: 3 })])))).toEqual(['check_in:fill']);
  });

  test('asks for a decision after a flag, which stays until it is decided', () => {
    const plan = send(begin());
    const flagged = afterCheckIn(plan, { flagged: true, daysOnHand: null }, plan.nextFillDate);
    const again = afterCheckIn(flagged, { flagged: false, daysOnHand: null }, plan.nextFillDate);
    expect([flagged, again].map((plan) => asks(plan))).toEqual([['decision:flagged'], ['decision:flagged']]);
    expect(asks(afterDecision(again, 1))).toEqual([]);
  });

  test('asks for a decision after a gap of more than half a supply and the days on hand', () => {
    const plan = send(begin());
    const lastDay = addDays(plan.lastFillDate, 42);
    expect([asks(plan, lastDay), asks(plan, addDays(lastDay, 1))]).toEqual([[], ['decision:gap']]);
    const stocked = { ...plan, daysOnHand: 5 };
    expect([asks(stocked, addDays(lastDay, 5)), asks(stocked, addDays(lastDay, 6))]).toEqual([
      [],
      ['decision:gap'],
    ]);
  });

  test('asks for a renewal when the fill would be after the prescription', () => {
    const plan = { ...send(begin()), prescribedUntil: addDays(start, 20) };
    expect(asks(plan)).toEqual(['renewal:renewal']);
  });

  test('asks for a decision after a cancelled fill, whose place comes back', () => {
    const plan = sendAll(begin(), 2);
    const cancelled = afterCancelledFill(plan, { n: 2, phase: 1, isFirst: false, wasCounted: true });
    expect([fillsSent(cancelled.phases), cancelled.fill, cancelled.phase]).toEqual([1, 3, 1]);
    expect(cancelled.nextFillDate).toBe(plan.nextFillDate);
    expect(asks(cancelled)).toEqual(['decision:cancelled']);
  });

  test('stays closed until a check-in and an earlier decision are both there', () => {
    const plan = afterDecision(sendAll(begin(), 2), 2);
    expect(asks(plan)).toEqual(['check_in:phase']);
    expect(asks(afterCheckIn(plan, { flagged: false, daysOnHand: null }, plan.nextFillDate))).toEqual([]);
  });
});

describe('a decision', () => {
  test('adds a fill to a phase whose fills are used up, and goes on from there', () => {
    const stepped = afterDecision(sendAll(begin(), 2), 1);
    expect(stepped.phases.map(({ fills }) => fills)).toEqual([3, 2]);
    const next = send(stepped);
    expect([next.phase, next.isFirst]).toEqual([2, true]);
  });

  test('that stays in a phase does not enter it', () => {
    const plan = sendAll(begin(), 2);
    expect(afterDecision(plan, 2).isFirst).toBe(true);
    expect(afterDecision(send(begin()), 1).isFirst).toBe(false);
  });

  test('passes over phases whose fills are used up', () => {
    const plan = sendAll(begin([rung({ fills: 1 }), rung({ fills: 1 }), rung({ fills: 2 })]), 2);
    const back = send(afterDecision(plan, 1));
    expect(back.phase).toBe(3);
  });
});

describe('a course that began elsewhere', () => {
  test('counts what was sent there, the phases before it as done', () => {
    const running = { phase: 2, sent: 1, lastFillDate: '2025-12-20' };
    const plan = begin(undefined, { running });
    expect([plan.fill, plan.phase, plan.isFirst, plan.hadFirst]).toEqual([4, 2, false, true]);
    expect(plan.nextFillDate).toBe('2026-01-14');
  });

  test('has no place without a fill left', () => {
    const running = { phase: 2, sent: 2, lastFillDate: start };
    expect(
      beginPlan({ phases: [rung(), rung()], startDate: start, prescribedUntil: start, running }),
    ).toBeUndefined();
  });
});

test('nothing is asked before a check has asked, or the fill is due', () => {
  const plan = sendAll(begin(), 2);
  const now = '2026-01-01T00:00:00.000Z';
  const at = (before: number) => ({ today: addDays(plan.nextFillDate, -before), now });
  expect(judgePlan(plan, at(5)).waiting).toEqual([]);
  expect(judgePlan(plan, { ...at(11), askDays: 10 }).waiting).toEqual([]);
  const asked = judgePlan(plan, { ...at(10), askDays: 10 });
  expect(asked.waiting.map(({ what, dueAt, since }) => [what, dueAt, since])).toEqual([
    ['check_in', plan.nextFillDate, now],
    ['decision', plan.nextFillDate, now],
  ]);
  const later = judgePlan({ ...plan, ...asked }, { ...at(5), now: '2026-01-06T00:00:00.000Z' });
  expect(later).toEqual(asked);
});

/** Each phase, with what the patient and the prescriber do on each day as numbers from 0 to 99. */
const lives = fc.record({
  phases: fc.array(
    fc.record({
      fills: fc.integer({ min: 1, max: 4 }),
      daysSupply: fc.integer({ min: 1, max: 40 }),
      checkIn: fc.constantFrom('none' as const, 'phase' as const, 'fill' as const),
      decision: fc.constantFrom('none' as const, 'phase' as const),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  prescribed: fc.integer({ min: 30, max: 400 }),
  days: fc.array(fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)), { minLength: 365, maxLength: 365 }),
});
type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never;

/** The specification of one gate, apart from the rules: a list of facts, read from the beginning each time. */
interface Book {
  sent: { phase: number; day: number; supply: number }[];
  checkedIn: boolean;
  flagged: boolean;
  decided: boolean;
  cancelled: boolean;
  entered: boolean;
  onHand: number;
  until: number;
}
function mayGoOut(book: Book, phase: Life['phases'][number], day: number): boolean {
  const last = book.sent.at(-1);
  if (!last) return !book.cancelled;
  const mustReport = phase.checkIn === 'fill' || (phase.checkIn === 'phase' && book.entered);
  if (mustReport && !book.checkedIn) return false;
  if (book.flagged || book.cancelled) return false;
  if (day - last.day > 1.5 * last.supply + book.onHand && !book.decided) return false;
  if (phase.decision === 'phase' && book.entered && !book.decided) return false;
  return day <= book.until;
}

/** Lives a plan for a year day by day beside its book. @returns the number of fills */
function live(life: Life, gate: typeof gateOf): number {
  const phases = life.phases.map((phase) => rung(phase));
  const dayOf = (n: number) => addDays(start, n);
  const until = life.prescribed;
  const begun = beginPlan({ phases, startDate: start, prescribedUntil: dayOf(until) });
  if (!begun) throw new Error('No fill is left');
  let plan: PlanPosition = begun;
  const book: Book = {
    ...{ sent: [], checkedIn: false, flagged: false, decided: false, cancelled: false, entered: true },
    ...{ onHand: 0, until },
  };
  let total = 0;
  for (const [day, [patient, prescriber, chance]] of life.days.entries()) {
    const today = dayOf(day);
    const isNear = addDays(plan.nextFillDate, -10) <= today;
    if (isNear && patient < 30) {
      const flagged = patient < 3;
      const daysOnHand = patient > 26 ? patient - 20 : null;
      plan = afterCheckIn(plan, { flagged, daysOnHand }, today);
      book.checkedIn = true;
      book.flagged ||= flagged;
      book.onHand = daysOnHand ?? book.onHand;
    }
    const asked = gate(plan, today);
    if (isNear && prescriber < 40 && asked.some(({ what }) => what === 'decision')) {
      const phase = prescriber < 30 ? plan.phase : (prescriber % phases.length) + 1;
      book.entered ||= phase !== plan.phase;
      plan = afterDecision(plan, phase);
      Object.assign(book, { decided: true, flagged: false, cancelled: false });
    }
    if (prescriber > 90 && asked.some(({ what }) => what === 'renewal')) {
      book.until = day + 60;
      plan = { ...plan, prescribedUntil: dayOf(book.until) };
    }
    if (chance === 0) plan = { ...plan, nextFillDate: addDays(today, plan.lastDaysSupply) };
    if (plan.nextFillDate > today) continue;
    const phase = life.phases[plan.phase - 1]!;
    const isOpen = gate(plan, today).length === 0;
    expect({ day, isOpen }).toEqual({ day, isOpen: mayGoOut(book, phase, day) });
    if (!isOpen) continue;
    const last = book.sent.at(-1);
    expect(last === undefined || last.day < day).toBe(true);
    const [n, number, wasFirst] = [plan.phase, plan.fill, plan.isFirst];
    const counted = afterFill(plan, { n: number, phase: n, daysSupply: phase.daysSupply }, today);
    book.sent.push({ phase: n, day, supply: phase.daysSupply });
    total += 1;
    expect(counted.plan.fill).toBe(number + 1);
    if (counted.isLast) return total;
    plan = counted.plan;
    Object.assign(book, { checkedIn: false, decided: false, entered: plan.phase !== n });
    if (chance > 96 && book.sent.length > 1) {
      plan = afterCancelledFill(plan, { n: number, phase: n, isFirst: wasFirst, wasCounted: true });
      Object.assign(book, { cancelled: true, entered: wasFirst });
      total -= 1;
    }
    expect(fillsSent(plan.phases)).toBe(total);
  }
  return total;
}

describe('200 plans of random phases, for 365 days each', () => {
  test('never send a fill past a closed gate, nor two on a day, and lose none', () => {
    fc.assert(
      fc.property(lives, (life) => {
        live(life, gateOf);
      }),
      { numRuns: 200 },
    );
  });

  test('find a plan whose gate is not checked', () => {
    const unchecked = fc.check(
      fc.property(lives, (life) => {
        live(life, () => []);
      }),
      { numRuns: 200, endOnFailure: true },
    );
    expect(unchecked.failed).toBe(true);
  });
});
