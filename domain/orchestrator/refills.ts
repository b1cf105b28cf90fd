import { addDays, type CalendarDay } from '../calendar.js';

/** A refill is sent this many days before the supply ends (page 1, Refill decision). */
export const shippingBufferDays = 3;
/** For a schedule without its own days supply (page 1, RefillSchedule). */
export const defaultDaysSupply = 30;

export const scheduleStatuses = ['active', 'paused', 'cancelled', 'completed'] as const;
export type ScheduleStatus = (typeof scheduleStatuses)[number];

export interface RefillState {
  status: ScheduleStatus;
  totalRefillsAllowed: number;
  refillsSent: number;
  daysSupply: number;
  nextFillDate: CalendarDay;
}

export type SkipReason =
  Exclude<ScheduleStatus, 'active'> | 'max_refills_reached' | 'not_due' | 'unpaid' | 'gate';

/**
 * Decides if the next refill of a schedule is due today (page 1, Refill decision).
 * @param isHeld an unpaid charge holds the refills of the schedule (D118)
 */
export function judgeRefill(
  schedule: RefillState,
  today: CalendarDay,
  isHeld = false,
): { due: true } | { due: false; reason: SkipReason } {
  if (schedule.status !== 'active') return { due: false, reason: schedule.status };
  if (schedule.refillsSent >= schedule.totalRefillsAllowed)
    return { due: false, reason: 'max_refills_reached' };
  if (schedule.nextFillDate > today) return { due: false, reason: 'not_due' };
  if (isHeld) return { due: false, reason: 'unpaid' };
  return { due: true };
}

/** The first day to which the next refill may be moved, or tried: 60 % of the supply is used up (D116, D119). */
export const earliestFillDate = (lastFillDate: CalendarDay, daysSupply: number): CalendarDay =>
  addDays(lastFillDate, Math.ceil((daysSupply * 3) / 5));

/** The next fill once one is left out: a supply after it, or after today if it was due before (D119). */
export const dateAfterSkip = (
  { nextFillDate, daysSupply }: Pick<RefillState, 'nextFillDate' | 'daysSupply'>,
  today: CalendarDay,
): CalendarDay => addDays(nextFillDate < today ? today : nextFillDate, daysSupply);

/** A refill may be moved to this many days from today. */
export const movableDays = 180;
/** The longest supply of a refill. */
export const maxDaysSupply = 3_650;

/** New directions for the refills to come; what is absent stays (D145). */
export interface ChangedDirections {
  dosage?: string | undefined;
  quantity?: number | undefined;
  daysSupply?: number | undefined;
}

/** The shipping buffer before the supply ends, but never on the day of the last fill or before it (D154). */
export const nextFillDate = (lastFillDate: CalendarDay, daysSupply: number): CalendarDay =>
  addDays(lastFillDate, Math.max(1, daysSupply - shippingBufferDays));

/** The schedule after its n-th refill was sent today. A cancellation stays, and a pause stays until the last refill. */
export function afterRefill(schedule: RefillState, n: number, today: CalendarDay) {
  const isLast = n >= schedule.totalRefillsAllowed;
  return {
    refillsSent: n,
    lastFillDate: today,
    nextFillDate: nextFillDate(today, schedule.daysSupply),
    status: isLast && schedule.status !== 'cancelled' ? ('completed' as const) : schedule.status,
  };
}

/** The next refill of a schedule, as its run takes it. The check and a person's `try_again` run the same (D116). */
export const nextRefill = (schedule: {
  id: string;
  refillsSent: number;
  emrPatientId: string;
  medication: string;
}) => ({
  scheduleId: schedule.id,
  n: schedule.refillsSent + 1,
  emrPatientId: schedule.emrPatientId,
  medication: schedule.medication,
});

export const refillTaskId = (scheduleId: string): string => `refill-${scheduleId}`;
/** The reference of the n-th refill: one pharmacy order, one charge. */
export const refillReference = (scheduleId: string, n: number): string => `${refillTaskId(scheduleId)}-${n}`;
/** The schedule of a refill task; null for any other task. */
export const scheduleIdOf = (taskId: string): string | null =>
  /^refill-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(taskId)?.[1] ?? null;
/** The schedule and number of a refill reference; undefined for any other reference. */
export function refillOf(reference: string): { scheduleId: string; n: number } | undefined {
  const [, taskId = '', n] = /^(refill-[0-9a-f-]{36})-(\d+)$/i.exec(reference) ?? [];
  const scheduleId = scheduleIdOf(taskId);
  return scheduleId === null ? undefined : { scheduleId, n: Number(n) };
}
/** The same for an order of a refill: the reference may end with the number of a reroute or a replacement. */
export const refillOfOrder = (reference: string) => refillOf(reference.replace(/[#~]\d+$/, ''));
