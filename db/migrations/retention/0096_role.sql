-- The one role that deletes what is past its age and overwrites what is erased (D94), with no more rights than that
-- takes. Services still may not.
grant usage on schema router, orchestrator, intake, notification, organization, patients, bridge to scriptrail_retention;

do $$
declare
  service text;
begin
  foreach service in array array['router', 'intake', 'organization', 'patients', 'bridge'] loop
    execute format('grant select, delete, update (detail) on %I.outbox to scriptrail_retention', service);
    if service <> 'router' then
      execute format('grant select, delete on %I.event_delivery to scriptrail_retention', service);
    end if;
  end loop;
end
$$;

-- Ages.
grant select, delete on router.callback_attempt, notification.delivery, orchestrator.downstream_call,
  bridge.emr_webhook_events, bridge.unsigned_webhooks to scriptrail_retention;

-- Erasing: whose something is, and the columns that are overwritten.
grant select on patients.patient_directory, patients.erasure, patients.intake_snapshots, intake.submission,
  intake.received_submission, intake.retry_queue, orchestrator.run, orchestrator.shipment, orchestrator.pharmacy_case,
  orchestrator.refill_schedule, router.submission, router.callback, router.webhook_log to scriptrail_retention;
grant update (state, completed_at, emr_patient_ids) on patients.erasure to scriptrail_retention;
grant update (email_lower, updated_at) on patients.patient_directory to scriptrail_retention;
grant update (payload, source_ip, user_agent, erased_at) on patients.intake_snapshots to scriptrail_retention;
grant update (raw_body, erased_at) on bridge.emr_webhook_events to scriptrail_retention;
grant update (first_name, last_name, email, phone, body, data, updated_at) on intake.submission to scriptrail_retention;
grant update (last_error) on intake.retry_queue to scriptrail_retention;
grant update (recipient_email, recipient_phone) on notification.delivery to scriptrail_retention;
grant update (result, error, updated_at) on orchestrator.run to scriptrail_retention;
grant update (status, dosage, updated_at) on orchestrator.refill_schedule to scriptrail_retention;
grant update (request_payload, response_payload, error_message, updated_at) on router.submission to scriptrail_retention;
grant update (payload) on router.callback to scriptrail_retention;
grant update (body) on router.webhook_log to scriptrail_retention;
