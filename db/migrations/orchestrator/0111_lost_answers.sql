-- What a run needs to be carried on once it turns out that its order exists (D114): its directions, and the submission
-- whose outcome is unknown, which becomes null when it is settled.
alter table orchestrator.run
  add column dosage text,
  add column unknown_submission_id uuid,
  -- when a label was settled whose answers were lost
  add column settled_at timestamptz(3);
create index run_unknown on orchestrator.run (unknown_submission_id) where unknown_submission_id is not null;

grant update (dosage) on orchestrator.run to scriptrail_retention;
