import { scheduleErased } from '../../domain/events.js';
import { tenDigitsOf } from '../../domain/phone-number.js';
import type { Fragment, Queryable, Sql } from '../client.js';
import { publishEvent } from '../outbox.js';
import type { ErasureScope } from './erasures.js';
import { marksOf } from './marks.js';

/** `waiting`: rows not erased yet because they are still in use. */
export interface Erased {
  erased: number;
  waiting: number;
}

/** Replaces texts that must not be empty, and bodies. */
export const erasedText = 'erased';
export const erasedBody = '{"erased":true}';

/** Erases recipients. A phone number alone counts only when the entry has no address. */
export async function eraseNotifications(
  sql: Queryable,
  { emails, emrPatientIds, intakeIds }: ErasureScope,
): Promise<Erased> {
  const written = await sql<{ phone: string }[]>`
    select recipient_phone as phone from notification.delivery
    where lower(recipient_email) = any(${emails}) and recipient_phone is not null
    union
    select phone from intake.submission
    where (id = any(${intakeIds}::uuid[]) or emr_patient_id = any(${emrPatientIds})) and phone is not null
  `;
  const phones = [...new Set(written.flatMap(({ phone }) => spellingsOf(phone)))];
  const { count } = await sql`
    with theirs as (
      select id from notification.delivery where lower(recipient_email) = any(${emails})
    )
    update notification.delivery set recipient_email = null, recipient_phone = null, first_try = null, variables = null
    where id in (
      select id from theirs
      union
      select id
      from notification.delivery
      where recipient_email is null and recipient_phone = any(${phones})
    )
  `;
  return { erased: count, waiting: 0 };
}

/** The spellings of a number in the log: as received, or as our notices have it (D149). */
function spellingsOf(phone: string): string[] {
  const digits = tenDigitsOf(phone);
  return digits === undefined ? [phone] : [phone, digits, `1${digits}`, `+1${digits}`];
}

/** The result for one page of a table, in the order of ids. */
export interface ErasedPage extends Erased {
  /** The page's last row; null at the end. */
  last: string | null;
}

/** Erases EMR webhooks about the patient, signed or not, and their events. Their bytes may not be text. */
export async function eraseWebhooks(
  sql: Queryable,
  scope: ErasureScope,
  { after, size }: { after: string; size: number },
): Promise<ErasedPage> {
  const { emrPatientIds } = scope;
  const marks = marksOf(scope);
  const [page] = await sql<[ErasedPage]>`
    with page as (
      select webhook.id, resource_type, resource_id, erased_at, entry.id as entry_id, entry.detail,
        replace(lower(encode(raw_body, 'escape')), '\\\\/', '/') as text
      from bridge.emr_webhook_events as webhook
      left join bridge.outbox as entry on entry.id = dispatched_outbox_id and entry.detail is not null
      where webhook.id > ${after}
      order by webhook.id
      limit ${size}
    ), theirs as (
      select id, erased_at, entry_id
      from page
      where (resource_type = 'Patient' and resource_id = any(${emrPatientIds}))
        or text ~ any(${marks}) or lower(detail::text) ~ any(${marks})
    ), webhooks as (
      update bridge.emr_webhook_events set raw_body = ${Buffer.from(erasedBody)}, erased_at = now()
      where id in (select id from theirs where erased_at is null)
      returning id
    ), closed as (
      ${closedEvents(sql, 'bridge', sql`select entry_id from theirs`)}
    ), events as (
      update bridge.outbox set detail = null where id in (select id from closed) returning id
    )
    select (select id from page order by id desc limit 1) as last,
      ((select count(*) from webhooks) + (select count(*) from events))::int as erased,
      ((select count(entry_id) from theirs) - (select count(*) from closed))::int as waiting
  `;
  return page;
}

/**
 * Cancels the schedules, which would read the patient from the EMR again. The orchestrator hears of each in the same
 * transaction, and ends its plan and work items.
 */
export const endRefills = (sql: Sql, { emrPatientIds }: ErasureScope): Promise<Erased> =>
  sql.begin(async (sql) => {
    const ended = await sql<{ id: string }[]>`
      update orchestrator.refill_schedule set status = 'cancelled', updated_at = now()
      where emr_patient_id = any(${emrPatientIds}) and status in ('active', 'paused')
      returning id
    `;
    for (const { id: scheduleId } of ended)
      await publishEvent(sql, 'orchestrator', {
        detailType: scheduleErased,
        aggregateId: `erased-${scheduleId}`,
        detail: { scheduleId },
      });
    return { erased: ended.length, waiting: 0 };
  });

/** Erases names, external texts and directions. */
export async function eraseRuns(sql: Queryable, { emrPatientIds }: ErasureScope): Promise<Erased> {
  const [done] = await sql<[Erased]>`
    with runs as (
      update orchestrator.run set
        result = case when result ? 'error' then jsonb_set(result, '{error}', ${`"${erasedText}"`}) else result end
          || jsonb_build_object('patientName', ${erasedText}::text),
        error = case when error is not null then ${erasedText} end,
        dosage = null, ship_to = null, updated_at = now()
      where emr_patient_id = any(${emrPatientIds}) and status <> 'pending' and (
        result ->> 'patientName' <> ${erasedText} or error <> ${erasedText} or dosage is not null
          or ship_to is not null
      )
      returning id
    ), schedules as (
      update orchestrator.refill_schedule set
        dosage = null, ship_to = null, ship_to_fills = null, skip_reason = null, updated_at = now()
      where emr_patient_id = any(${emrPatientIds})
        and (dosage is not null or ship_to is not null or skip_reason is not null)
      returning id
    ), plans as (
      update orchestrator.plan set stopped_because = null
      where emr_patient_id = any(${emrPatientIds}) and stopped_because is not null
    ), phases as (
      update orchestrator.plan_phase set dosage = null
      where dosage is not null
        and plan_id in (select id from orchestrator.plan where emr_patient_id = any(${emrPatientIds}))
    ), fills as (
      update orchestrator.plan_fill set dosage = null
      where dosage is not null
        and plan_id in (select id from orchestrator.plan where emr_patient_id = any(${emrPatientIds}))
    ), check_ins as (
      update orchestrator.plan_check_in set answers = null
      where answers is not null
        and plan_id in (select id from orchestrator.plan where emr_patient_id = any(${emrPatientIds}))
    ), decisions as (
      update orchestrator.plan_decision set reason = null
      where reason is not null
        and plan_id in (select id from orchestrator.plan where emr_patient_id = any(${emrPatientIds}))
    ), directions as (
      update orchestrator.direction_change set dosage = null
      where dosage is not null and task_id = any(array(
        select task_id from orchestrator.run where emr_patient_id = any(${emrPatientIds})
        union
        select 'refill-' || id from orchestrator.refill_schedule where emr_patient_id = any(${emrPatientIds})
      ))
      returning id
    ), answers as (
      -- kept for a few minutes, for repeats of a request
      update orchestrator.answered_request set answer = ${erasedBody}
      where answer::jsonb #>> '{schedule,emrPatientId}' = any(${emrPatientIds})
        or answer::jsonb #>> '{plan,emrPatientId}' = any(${emrPatientIds})
      returning digest
    ), cancellations as (
      update orchestrator.cancellation set request_reason = ${erasedText}
      where request_reason <> ${erasedText}
        and run_id in (select id from orchestrator.run where emr_patient_id = any(${emrPatientIds}))
      returning task_id
    ), replaced as (
      select reference, running_since is not null as is_open
      from orchestrator.replacement
      where (note is not null or ship_to is not null)
        and run_id in (select id from orchestrator.run where emr_patient_id = any(${emrPatientIds}))
    ), replacements as (
      update orchestrator.replacement set note = null, ship_to = null
      where reference in (select reference from replaced where not is_open)
      returning reference
    ), notes as (
      update worklist.order_history set note = null
      where note is not null and task_key = any(array(
        select task_id from orchestrator.run where emr_patient_id = any(${emrPatientIds})
        union
        select 'refill-' || id from orchestrator.refill_schedule where emr_patient_id = any(${emrPatientIds})
      ))
      returning id
    ), refunds as (
      update orchestrator.part_refund set reason = null
      where reason is not null
        and run_id in (select id from orchestrator.run where emr_patient_id = any(${emrPatientIds}))
      returning reference
    )
    select (
        (select count(*) from runs) + (select count(*) from schedules) + (select count(*) from directions)
        + (select count(*) from answers) + (select count(*) from cancellations) + (select count(*) from replacements)
        + (select count(*) from refunds) + (select count(*) from notes)
      )::int as erased, (
        (select count(*) from orchestrator.run where emr_patient_id = any(${emrPatientIds}) and status = 'pending')
        + (select count(*) from replaced where is_open)
        + (
          select count(*) from orchestrator.task
          where reroute_ship_to is not null
            and run_id in (select id from orchestrator.run where emr_patient_id = any(${emrPatientIds}))
        )
      )::int as waiting
  `;
  return done;
}

/** Erases intakes that have an EMR patient or no pending retry; the others count as waiting. */
export async function eraseIntakes(
  sql: Queryable,
  { emails, emrPatientIds, intakeIds }: ErasureScope,
): Promise<Erased> {
  const [done] = await sql<[Erased]>`
    with theirs as (
      select id, exists (
        select from intake.retry_queue where submission_id = submission.id and status = 'pending'
      ) as is_open
      from intake.submission
      where body <> ${erasedBody} and (emr_patient_id = any(${emrPatientIds}) or id = any(${intakeIds}::uuid[]))
    ), closed as (
      select id from theirs where not is_open
    ), intakes as (
      update intake.submission set
        first_name = ${erasedText}, last_name = ${erasedText}, email = ${erasedText}, phone = null,
        body = ${erasedBody}, data = ${erasedBody}::text::json, updated_at = now()
      where id in (select id from closed)
      returning id
    ), retries as (
      update intake.retry_queue set last_error = null where submission_id in (select id from closed)
    )
    select (select count(*)::int from intakes) as erased, (
        (select count(*) from theirs where is_open)
        + (select count(*) from intake.received_submission where lower(trim(body::json ->> 'email')) = any(${emails}))
      )::int as waiting
  `;
  return done;
}

/** Erases the archived intakes; their hashes stay. */
export async function eraseSnapshots(sql: Queryable, { patientId }: ErasureScope): Promise<Erased> {
  const { count } = await sql`
    update patients.intake_snapshots set
      payload = ${Buffer.from(erasedBody)}, source_ip = ${erasedText}, user_agent = null, erased_at = now()
    where patient_id = ${patientId} and erased_at is null
  `;
  return { erased: count, waiting: 0 };
}

/** Erases the directory's events about the patient once no consumer waits for them. */
export async function erasePatientEvents(sql: Queryable, { patientId }: ErasureScope): Promise<Erased> {
  const [done] = await sql<[Erased]>`
    with theirs as (
      select id from patients.outbox where aggregate_id = ${patientId} and detail is not null
    ), closed as (
      ${closedEvents(sql, 'patients', sql`select id from theirs`)}
    ), erased as (
      update patients.outbox set detail = null where id in (select id from closed) returning id
    )
    select (select count(*)::int from erased) as erased,
      ((select count(*) from theirs) - (select count(*) from closed))::int as waiting
  `;
  return done;
}

/** Shipped or dead events without a pending delivery; dead ones cannot be redriven afterwards. */
const closedEvents = (sql: Queryable, schema: 'bridge' | 'patients', theirs: Fragment) => sql`
  select id
  from ${sql(`${schema}.outbox`)} as entry
  where id in (${theirs}) and (shipped_at is not null or dead_at is not null) and not exists (
    select from ${sql(`${schema}.event_delivery`)} where event_id = entry.id and state = 'pending'
  )
`;
