import { addDays, type CalendarDay } from '../calendar.js';

/** The next fill is sent this many days before the supply ends (page 1, Refill decision). */
export const shippingBufferDays = 3;
/** A schedule that was made without its own days supply has this one (page 1, RefillSchedule). */
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

export type SkipReason = Exclude<ScheduleStatus, 'active'> | 'max_refills_reached' | 'not_due';

/** Whether a schedule's next refill is to be sent today; otherwise why not (page 1, Refill decision). */
export function judgeRefill(
  schedule: RefillState,
  today: CalendarDay,
): { due: true } | { due: false; reason: SkipReason } {
  if (schedule.status !== 'active') return { due: false, reason: schedule.status };
  if (schedule.refillsSent >= schedule.totalRefillsAllowed)
    return { due: false, reason: 'max_refills_reached' };
  if (schedule.nextFillDate > today) return { due: false, reason: 'not_due' };
  return { due: true };
}

/** A 30-day supply filled on the first of a month is due again 27 days later. */
export const nextFillDate = (lastFillDate: CalendarDay, daysSupply: number): CalendarDay =>
  addDays(lastFillDate, daysSupply - shippingBufferDays);

/** The schedule after its n-th refill was sent today. What an operator paused or cancelled meanwhile stays so. */
export function afterRefill(schedule: RefillState, n: number, today: CalendarDay) {
  const isLast = n >= schedule.totalRefillsAllowed;
  return {
    refillsSent: n,
    lastFillDate: today,
    nextFillDate: nextFillDate(today, schedule.daysSupply),
    status: isLast && schedule.status === 'active' ? ('completed' as const) : schedule.status,
  };
}

/** The task a schedule's refills are recorded under (D30). */
export const refillTaskId = (scheduleId: string): string => `refill-${scheduleId}`;
/** The reference of its n-th refill: one pharmacy order, one charge. */
export const refillReference = (scheduleId: string, n: number): string => `${refillTaskId(scheduleId)}-${n}`;
/** Which refill of which schedule a reference stands for. @param reference as {@link refillReference} makes it */
export function refillOf(reference: string): { scheduleId: string; n: number } {
  const separator = reference.lastIndexOf('-');
  return {
    scheduleId: reference.slice(refillTaskId('').length, separator),
    n: Number(reference.slice(separator + 1)),
  };
}
