-- The number of the refill that the patient was last told of before it was due (D121).
alter table orchestrator.refill_schedule add noticed_refill integer;
