import { emailKey } from '../../domain/email-address.js';
import { namesOneOf } from '../../domain/retention/people.js';
import type { Queryable } from '../client.js';
import { erasedBody, type ErasedPage, erasedText } from './erasing.js';
import type { ErasureScope } from './erasures.js';
import { wholeAddress } from './marks.js';

/** The ids of a patient's orders. */
export interface OrderIds {
  submissionIds: string[];
  taskIds: string[];
  scheduleIds: string[];
}

export async function findOrderIds(sql: Queryable, { emrPatientIds }: ErasureScope): Promise<OrderIds> {
  const [ids] = await sql<[OrderIds]>`
    select array(
        select submission_id from orchestrator.pharmacy_case where emr_patient_id = any(${emrPatientIds})
        union
        select submission_id from orchestrator.shipment where emr_patient_id = any(${emrPatientIds})
      ) as submission_ids,
      array(
        select task_id from orchestrator.run where emr_patient_id = any(${emrPatientIds})
        union
        -- includes references of rerouted orders
        select ref.reference
        from orchestrator.order_reference ref
        join orchestrator.run run on run.task_id = ref.task_id
        where run.emr_patient_id = any(${emrPatientIds})
        union
        select replacement.reference
        from orchestrator.replacement
        join orchestrator.run run on run.id = replacement.run_id
        where run.emr_patient_id = any(${emrPatientIds})
      ) as task_ids,
      array(
        select id::text from orchestrator.refill_schedule where emr_patient_id = any(${emrPatientIds})
      ) as schedule_ids
  `;
  return ids;
}

/** A page of other clients' orders: those that name the patient under an address of the patient. */
export async function findNamedOrders(
  sql: Queryable,
  { emails, people }: ErasureScope,
  { after, size }: { after: string; size: number },
): Promise<string[]> {
  const orders = await sql<{ id: string; email: string; patient: unknown }[]>`
    with page as (
      select id, request_payload::json -> 'patient' as patient
      from router.submission
      where id > ${after}
      order by id
      limit ${size}
    )
    select id, patient ->> 'email' as email, patient
    from page
    -- An address that is not plain ASCII may be another spelling.
    where lower(trim(patient ->> 'email')) = any(${emails}) or patient ->> 'email' ~ '[^ -~]'
  `;
  return orders
    .filter(({ email, patient }) => emails.includes(emailKey(email)) && namesOneOf(people, patient))
    .map(({ id }) => id);
}

/**
 * Erases a page of orders, with people's notes about them. A rejected webhook belongs to no order; its text names the
 * address, or an order's id at the pharmacy. Each text is decoded once, as it may be large.
 */
export async function eraseOrders(
  sql: Queryable,
  { emails, submissionIds, taskIds, scheduleIds }: OrderIds & Pick<ErasureScope, 'emails'>,
  { after, size }: { after: string; size: number },
): Promise<ErasedPage> {
  const [page] = await sql<[ErasedPage]>`
    with page as (
      select id, api_key_id, source, source_order_id, outcome, pharmacy_order_id
      from router.submission
      where id > ${after}
      order by id
      limit ${size}
    ), theirs as (
      select id, outcome is null or exists (
        select from router.callback
        where submission_id = page.id and state = 'pending'
          and coalesce(payload::jsonb ->> 'error', payload::jsonb #>> '{hold,message}') is not null
      ) or exists (
        select from router.cancellation where submission_id = page.id and state = 'pending'
      ) or exists (
        select from router.hold
        where submission_id = page.id and state = 'open' and answer is not null and answered_at is null
      ) as is_open
      from page
      where id = any(${submissionIds}::uuid[])
        -- Any client may name this source, so our own key must have sent the order.
        or (api_key_id in (select id from access.api_key where is_own)
          and (source = 'orchestrator' or source like 'orchestrator:%') and (
          case
            when source = 'orchestrator' then source_order_id
            else substr(source, length('orchestrator:') + 1) || chr(31) || source_order_id
          end = any(${taskIds})
          or (source_order_id like 'refill-%' and substr(source_order_id, 8, 36) = any(${scheduleIds}))
        ))
    ), closed as (
      select id from theirs where not is_open
    ), orders as (
      update router.submission set
        request_payload = ${erasedBody},
        response_payload = case when response_payload is not null then ${erasedBody} end,
        error_message = case when error_message is not null then ${erasedText} end,
        updated_at = now()
      where id in (select id from closed) and request_payload <> ${erasedBody}
      returning id
    ), webhooks as (
      update router.webhook_log set body = ${erasedBody}
      where submission_id in (select id from closed) and body <> ${erasedBody}
      returning id
    ), orders_there as materialized (
      select to_json(pharmacy_order_id)::text as id from page where id in (select id from closed)
    ), received as materialized (
      select id, case when encoding = 'base64' then encode(decode(body, 'base64'), 'escape') else body end as text
      from router.webhook_log
      where not accepted and body <> ${erasedBody}
    ), refused as (
      update router.webhook_log set body = ${erasedBody}, encoding = null
      where id in (
        select id from received
        where lower(text) ~ any(${emails.map(wholeAddress)}::text[])
          or exists (select from orders_there where strpos(text, orders_there.id) > 0)
      )
      returning id
    ), callbacks as (
      update router.callback set payload = (payload::jsonb || jsonb_build_object('error', ${erasedText}::text))::text
      where submission_id in (select id from closed) and payload::jsonb ->> 'error' <> ${erasedText}
      returning id
    ), hold_callbacks as (
      update router.callback set payload = jsonb_set(payload::jsonb, '{hold,message}', to_jsonb(${erasedText}::text))::text
      where submission_id in (select id from closed) and payload::jsonb #>> '{hold,message}' <> ${erasedText}
      returning id
    ), holds as (
      update router.hold set
        message = case when message is not null then ${erasedText} end,
        answer_text = case when answer_text is not null then ${erasedText} end,
        refusal = case when refusal is not null then ${erasedText} end,
        changes = case when changes is not null then '{}'::jsonb end
      where submission_id in (select id from closed) and (
        message <> ${erasedText} or answer_text <> ${erasedText} or refusal <> ${erasedText} or changes <> '{}'
      )
      returning hold_id
    ), cancellations as (
      update router.cancellation set request_reason = ${erasedText}
      where submission_id in (select id from closed) and request_reason <> ${erasedText}
      returning submission_id
    ), notes as (
      update worklist.history set note = ${erasedText}
      where note <> ${erasedText} and action in ('answered', 'refused', 'noted') and item_id in (
        select id from worklist.work_item where refers_to ->> 'submissionId' in (select id::text from closed)
      )
      returning position
    )
    select (select id from page order by id desc limit 1) as last,
      (
        (select count(*) from orders) + (select count(*) from webhooks) + (select count(*) from refused)
        + (select count(*) from callbacks)
        + (select count(*) from hold_callbacks) + (select count(*) from holds) + (select count(*) from cancellations)
        + (select count(*) from notes)
      )::int as erased,
      (select count(*) from theirs where is_open)::int as waiting
  `;
  return page;
}

/** Erases notes on the work items that name an id of the patient. */
export async function eraseNotes(
  sql: Queryable,
  { submissionIds, taskIds, scheduleIds, patientId, emrPatientIds }: OrderIds & ErasureScope,
  { after, size }: { after: string; size: number },
): Promise<ErasedPage> {
  const ids = [...submissionIds, ...taskIds, ...scheduleIds, ...emrPatientIds, patientId];
  const [page] = await sql<[ErasedPage]>`
    with page as (
      select position, item_id, note
      from worklist.history
      where position > ${after} and action in ('answered', 'refused', 'noted')
      order by position
      limit ${size}
    ), erased as (
      update worklist.history set note = ${erasedText}
      where position in (
        select page.position
        from page
        join worklist.work_item as item on item.id = page.item_id
        where page.note <> ${erasedText} and exists (
          select from jsonb_each_text(item.refers_to) as refers(name, value)
          -- Two clients may have a task of one id each.
          where case when name in ('taskId', 'reference')
              then concat(item.refers_to ->> 'client' || chr(31), value)
              else value
            end = any(${ids})
            or (value like 'refill-%' and substr(value, 8, 36) = any(${scheduleIds}))
            or value in (select id::text from intake.submission where emr_patient_id = any(${emrPatientIds}))
        )
      )
      returning position
    )
    select (select max(position) from page) as last, (select count(*)::int from erased) as erased, 0 as waiting
  `;
  return page;
}
