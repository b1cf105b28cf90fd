import { describe, expect, test } from '@jest/globals';
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
/** Decides on the day of the fill. */
const decide = (plan: PlanPosition, phase: number, day = plan.nextFillDate) =>
  afterDecision(plan, phase, day);
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
    expect(asks(decide(again, 1))).toEqual([]);
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

  test('asks for a decision after a gap that nobody knew of when they decided', () => {
    const plan = sendAll(begin([rung(), rung({ checkIn: 'none' })]), 2);
    const late = addDays(plan.lastFillDate, 43);
    const early = decide(plan, 2);
    expect([asks(early), asks(early, late)]).toEqual([[], ['decision:gap']]);
    expect(asks(decide(early, 2, late), late)).toEqual([]);
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

  test('asks for that decision alone where the only fill was cancelled', () => {
    const cancelled = { n: 1, phase: 2, isFirst: true, wasCounted: true };
    const plan = afterCancelledFill(send(decide(begin(), 2)), cancelled);
    expect(asks(plan)).toEqual(['decision:cancelled']);
    expect(asks(decide(plan, 1))).toEqual([]);
  });

  test('stays closed until a check-in and an earlier decision are both there', () => {
    const plan = decide(sendAll(begin(), 2), 2);
    expect(asks(plan)).toEqual(['check_in:phase']);
    expect(asks(afterCheckIn(plan, { flagged: false, daysOnHand: null }, plan.nextFillDate))).toEqual([]);
  });
});

describe('a decision', () => {
  test('adds a fill to a phase whose fills are used up, and goes on from there', () => {
    const stepped = decide(sendAll(begin(), 2), 1);
    expect(stepped.phases.map(({ fills }) => fills)).toEqual([3, 2]);
    const next = send(stepped);
    expect([next.phase, next.isFirst]).toEqual([2, true]);
  });

  test('that stays in a phase does not enter it', () => {
    const plan = sendAll(begin(), 2);
    expect(decide(plan, 2).isFirst).toBe(true);
    expect(decide(send(begin()), 1).isFirst).toBe(false);
  });

  test('passes over phases whose fills are used up', () => {
    const plan = sendAll(begin([rung({ fills: 1 }), rung({ fills: 1 }), rung({ fills: 2 })]), 2);
    const back = send(decide(plan, 1));
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
