import { addDays, type CalendarDay } from '../calendar.js';
import { refillReference } from './refills.js';
import type { PlanPosition } from './plans.js';

/** The notices that a patient got about the check-in before a fill (D127). */
export interface Told {
  /** The fill that it is about. */
  noticedFill: number | null;
  /** 0: nothing yet; 1: due; 2: due in three days; 3: past due. */
  noticed: number;
  noticeRound: number;
  /** How often people asked to tell the patient once more that it is past due. */
  reminders: number;
  remindedOn: CalendarDay | null;
}

/** The patient is notified again this many days before the fill. */
const againDaysAhead = 3;
/** A decision is due at the start of the day this many days before its fill. */
const decisionDaysAhead = 2;

type Waiting = Pick<PlanPosition, 'fill' | 'waiting'>;

/** The day of the fill whose check-in is waited for. */
export const checkInDueOn = ({ waiting }: Pick<PlanPosition, 'waiting'>): CalendarDay | undefined =>
  waiting.find(({ what }) => what === 'check_in')?.dueAt;

/** The notice that is due by today, and that the patient has not had for this fill. */
export function dueNotice(plan: Waiting & Told, today: CalendarDay): 1 | 2 | 3 | undefined {
  const dueOn = checkInDueOn(plan);
  if (dueOn === undefined) return undefined;
  const stage = today >= dueOn ? 3 : today >= addDays(dueOn, -againDaysAhead) ? 2 : 1;
  return stage > (plan.noticedFill === plan.fill ? plan.noticed : 0) ? stage : undefined;
}

/** True if a person is asked about the check-in by now: `graceDays` after the fill's day, or after a reminder. */
export function isCheckInMissing(plan: Waiting & Told, today: CalendarDay, graceDays: number): boolean {
  const dueOn = checkInDueOn(plan);
  if (dueOn === undefined) return false;
  const reminded = plan.noticedFill === plan.fill ? plan.remindedOn : null;
  return today >= addDays(reminded !== null && reminded > dueOn ? reminded : dueOn, graceDays);
}

/** The subject of the work item `check_in_missing`. A reminder or another date makes another one. */
export const missingFact = (plan: Waiting & Told & { id: string }): string =>
  [plan.id, plan.fill, checkInDueOn(plan) ?? '', plan.reminders].join(':');

/** The day at whose start a decision or a renewal is due. */
export const decisionDay = (fillOn: CalendarDay): CalendarDay => addDays(fillOn, -decisionDaysAhead);

/** A notice before a fill; a reminder has its number instead of a stage. */
export type PlanNotice = { planId: string; fill: number } & (
  { round: number; stage: 1 | 2 | 3 } | { reminder: number }
);

/** The type and the reference of a notice, which are its key. */
export function planNotice({ planId, fill, ...notice }: PlanNotice): {
  type: 'follow_up_due' | 'follow_up_past_due';
  reference: string;
} {
  const reference = refillReference(planId, fill);
  if ('reminder' in notice)
    return { type: 'follow_up_past_due', reference: `${reference}:again:${notice.reminder}` };
  const { round, stage } = notice;
  return {
    type: stage === 3 ? 'follow_up_past_due' : 'follow_up_due',
    reference: `${reference}:${round}:${stage}`,
  };
}

/** All notices that a plan may have sent before its fills up to `fill`. */
export const planNotices = (plan: {
  id: string;
  fill: number;
  noticeRound: number;
  reminders: number;
}): ReturnType<typeof planNotice>[] =>
  Array.from({ length: plan.fill }, (_, index) => ({ planId: plan.id, fill: index + 1 })).flatMap((of) => [
    ...Array.from({ length: plan.noticeRound + 1 }, (_, round) => round).flatMap((round) =>
      ([1, 2, 3] as const).map((stage) => planNotice({ ...of, round, stage })),
    ),
    ...Array.from({ length: plan.reminders }, (_, n) => planNotice({ ...of, reminder: n + 1 })),
  ]);
