-- What is asked of one patient, one order or one task stays as fast beside a million closed ones.
create index run_by_patient on orchestrator.run (emr_patient_id);
create index pharmacy_case_of_submission on orchestrator.pharmacy_case (submission_id);
-- Those that have shipped were not enough for an erasure.
drop index orchestrator.shipment_by_patient;
create index shipment_by_patient on orchestrator.shipment (emr_patient_id);
create index work_item_of_task on orchestrator.work_item ((refers_to ->> 'taskId'));
create index work_item_of_reference on orchestrator.work_item ((refers_to ->> 'reference'));
create index work_item_of_fact on orchestrator.work_item (fact);

-- A page of a list that a filter leaves little of reads no more than the page.
create index run_of_status on orchestrator.run (status, created_at desc, id desc);
create index run_with_warning on orchestrator.run (created_at desc, id desc) where warnings <> '{}';
create index payment_recovery_of_state on orchestrator.payment_recovery (state, opened_at desc, reference desc);
create index refill_schedule_of_status on orchestrator.refill_schedule (status, id desc);
create index refill_schedule_of_patient on orchestrator.refill_schedule (emr_patient_id, id desc);
