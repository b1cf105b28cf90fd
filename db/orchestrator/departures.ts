import { type DepartureReason, lesserThan } from '../../domain/orchestrator/departures.js';
import type { Queryable, Sql } from '../client.js';
import type { BusinessDay } from './clock.js';
import { endDunningsOf } from './dunning.js';
import { closeFailedRefill } from './failed-refills.js';
import { recordEvent } from './events.js';
import { judgeChangedPlan } from './plan-changes.js';
import { findDeparture, lockRefillsOf, pausedEvent } from './refill-schedules.js';

/**
 * Records why a patient gets no more refills, or that the patient's record is active (D117). Pauses or resumes the
 * schedules, and ends the recoveries of charges. An archived patient stays so, whatever the EMR says. Idempotent.
 * @param reason null for an active record
 */
export const recordDeparture = (
  sql: Sql,
  emrPatientId: string,
  reason: DepartureReason | null,
  day: BusinessDay,
): Promise<void> =>
  sql.begin(async (sql) => {
    await lockRefillsOf(sql, emrPatientId);
    const known = await findDeparture(sql, emrPatientId);
    if (known === 'patient_archived' && reason !== known) return;
    if (reason === null) await resume(sql, emrPatientId, day);
    else await end(sql, emrPatientId, reason, day);
  });

async function end(
  sql: Queryable,
  emrPatientId: string,
  reason: DepartureReason,
  day: BusinessDay,
): Promise<void> {
  await sql`
    insert into orchestrator.patient_departure (emr_patient_id, reason) values (${emrPatientId}, ${reason})
    on conflict (emr_patient_id) do update set reason = excluded.reason, updated_at = now()
  `;
  const paused = await sql<{ id: string; refillsSent: number }[]>`
    update orchestrator.refill_schedule set status = 'paused', paused_reason = ${reason}, updated_at = now()
    where emr_patient_id = ${emrPatientId} and (
      status = 'active' or (status = 'paused' and paused_reason = any(${sql.array(lesserThan(reason))}::text[]))
    )
    returning id, refills_sent
  `;
  for (const { id, refillsSent } of paused) {
    await closeFailedRefill(sql, id);
    await recordEvent(sql, pausedEvent({ id, refillsSent, pausedReason: reason }));
    await judgeChangedPlan(sql, id, day);
  }
  await endDunningsOf(sql, emrPatientId);
}

async function resume(sql: Queryable, emrPatientId: string, day: BusinessDay): Promise<void> {
  await sql`delete from orchestrator.patient_departure where emr_patient_id = ${emrPatientId}`;
  const resumed = await sql<{ id: string }[]>`
    update orchestrator.refill_schedule set
      status = 'active', paused_reason = null, next_fill_date = greatest(next_fill_date, ${day.today}::date),
      updated_at = now()
    where emr_patient_id = ${emrPatientId} and status = 'paused' and paused_reason = 'patient_inactive'
    returning id
  `;
  for (const { id } of resumed) await judgeChangedPlan(sql, id, day, { isResumed: true });
}
