import type { Sql } from '../../../db/client.js';
import type { DevJson } from '../../../dev/dev-json.js';
import { type Answer, call, patientIn } from '../../helpers/client.js';

/** As the API gives it. */
export interface Schedule {
  id: string;
  emrPatientId: string;
  medication: string;
  dosage: string | null;
  status: string;
  pausedReason: string | null;
  totalRefillsAllowed: number;
  refillsSent: number;
  daysSupply: number;
  lastFillDate: string;
  nextFillDate: string;
  quantity: number | null;
  earliestFillDate: string;
  skipped: number;
  shipTo: { fillsLeft: number } | null;
}
interface ScheduleAnswer {
  schedule: Schedule;
  schedules: Schedule[];
  nextCursor: string | null;
  error: string;
  details: { path: string; message: string }[];
}
interface CheckAnswer {
  processed: number;
  results: {
    scheduleId: string;
    emrPatientId: string;
    medication: string;
    processed: boolean;
    reason?: string;
  }[];
  error: string;
}

const path = '/orchestrator/refill-schedules';

/** @param suffix after the path of the schedules: `?status=…`, `/<id>`, `/<id>/pause` */
export const schedulesAt = (
  dev: DevJson,
  suffix = '',
  options: { method?: string; body?: unknown; key?: string; headers?: Record<string, string> } = {},
): Promise<Answer<ScheduleAnswer>> => call(dev, 'orchestrator', { path: path + suffix, ...options });

export async function newSchedule(
  dev: DevJson,
  fields: { emrPatientId: string } & Partial<Schedule>,
): Promise<Schedule> {
  const body = { medication: 'semaglutide', totalRefillsAllowed: 3, ...fields };
  const answer = await schedulesAt(dev, '', { method: 'POST', body });
  if (answer.status !== 201) throw new Error(`making a schedule was answered ${answer.status}`);
  return answer.body.schedule;
}

export const checkRefills = (
  dev: DevJson,
  { key, ...body }: { key?: string; scheduleIds?: string[] } = {},
): Promise<Answer<CheckAnswer>> =>
  call(dev, 'orchestrator', {
    method: 'POST',
    path: '/orchestrator/refill-check',
    body,
    ...(key === undefined ? {} : { key }),
  });

/** Today as the development system has it, in UTC, or so many days from it. */
export const dayFromToday = (days: number): string =>
  new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10);

/** Stores schedules that are due today, each of a patient with a card. @returns their ids */
export async function dueSchedules(sql: Sql, dev: DevJson, count: number): Promise<string[]> {
  const patients = ['NY', 'WA', 'TX', 'OH'].map((state) => patientIn(dev, state));
  const rows = Array.from({ length: count }, (_, index) => ({
    emrPatientId: patients[index % patients.length]!,
    medication: 'semaglutide',
    totalRefillsAllowed: 3,
    lastFillDate: dayFromToday(-27),
    nextFillDate: dayFromToday(0),
  }));
  const made = await sql<{ id: string }[]>`
    insert into orchestrator.refill_schedule
      ${sql(rows, 'emrPatientId', 'medication', 'totalRefillsAllowed', 'lastFillDate', 'nextFillDate')}
    returning id
  `;
  return made.map(({ id }) => id);
}
