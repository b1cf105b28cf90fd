-- The one role that deletes what is past its age and overwrites what is erased (D94), with no more rights than that
-- takes. Services still may not. What the role may do with events stands with their tables (access/0004_events.sql).
grant usage on schema router, orchestrator, intake, notification, organization, patients, bridge, worklist
  to scriptrail_retention;

-- Ages.
grant select, delete on router.callback_attempt, notification.delivery, orchestrator.downstream_call,
  orchestrator.processor_event, orchestrator.recovery, orchestrator.recovery_item, orchestrator.client_event,
  bridge.emr_webhook_events, bridge.unsigned_webhooks, worklist.work_item, worklist.history, worklist.order_history
  to scriptrail_retention;
grant delete on router.webhook_log to scriptrail_retention;

-- Erasing: whose something is, and the columns that are overwritten.
grant select on patients.patient_directory, patients.erasure, patients.intake_snapshots, intake.submission,
  intake.received_submission, intake.retry_queue, orchestrator.run, orchestrator.shipment, orchestrator.pharmacy_case,
  orchestrator.refill_schedule, orchestrator.cancellation, orchestrator.order_reference, orchestrator.plan,
  router.submission, router.callback, router.webhook_log to scriptrail_retention;
grant update (state, completed_at, emr_patient_ids, emails, people, leaves_by_address)
  on patients.erasure to scriptrail_retention;
grant update (email_lower, former_emails, updated_at) on patients.patient_directory to scriptrail_retention;
grant update (payload, source_ip, user_agent, erased_at) on patients.intake_snapshots to scriptrail_retention;
grant update (raw_body, erased_at) on bridge.emr_webhook_events to scriptrail_retention;
grant update (first_name, last_name, email, phone, body, data, updated_at) on intake.submission to scriptrail_retention;
grant update (last_error) on intake.retry_queue to scriptrail_retention;
grant update (recipient_email, recipient_phone, first_try, variables) on notification.delivery to scriptrail_retention;
grant update (note) on worklist.history, worklist.order_history to scriptrail_retention;

grant update (result, error, dosage, ship_to, updated_at) on orchestrator.run to scriptrail_retention;
grant update (status, dosage, ship_to, ship_to_fills, skip_reason, updated_at)
  on orchestrator.refill_schedule to scriptrail_retention;
-- The orchestrator hears of the schedules that it cancels.
grant insert on orchestrator.outbox, orchestrator.event_delivery to scriptrail_retention;
grant select, update (dosage) on orchestrator.direction_change to scriptrail_retention;
grant select, update (answer) on orchestrator.answered_request to scriptrail_retention;
grant update (request_reason) on orchestrator.cancellation to scriptrail_retention;
grant select (run_id, reroute_ship_to) on orchestrator.task to scriptrail_retention;
grant select, update (note, ship_to) on orchestrator.replacement to scriptrail_retention;
grant select, update (reason) on orchestrator.part_refund to scriptrail_retention;
grant update (stopped_because) on orchestrator.plan to scriptrail_retention;
grant select, update (dosage) on orchestrator.plan_phase, orchestrator.plan_fill to scriptrail_retention;
grant select, update (answers) on orchestrator.plan_check_in to scriptrail_retention;
grant select, update (reason) on orchestrator.plan_decision to scriptrail_retention;

grant update (request_payload, response_payload, error_message, updated_at) on router.submission to scriptrail_retention;
grant update (payload) on router.callback to scriptrail_retention;
grant update (body, encoding) on router.webhook_log to scriptrail_retention;
-- A reason is a client's own text, and so is what pharmacy and client wrote to each other.
grant select, update (request_reason) on router.cancellation to scriptrail_retention;
grant select, update (message, answer_text, changes, refusal) on router.hold to scriptrail_retention;
-- An order is ours by the key that sent it.
grant usage on schema access to scriptrail_retention;
grant select (id, is_own) on access.api_key to scriptrail_retention;
