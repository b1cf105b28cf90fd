-- Whose intake it is (D86): whether its mailbox was proved, when it was handed in or when its card was saved.
alter table intake.received_submission add column email_proven boolean not null default false;
alter table intake.submission add column email_proven boolean not null default false;
-- Whether a later intake of the same patient has come, whose contact data is newer.
create index submission_by_patient on intake.submission (emr_patient_id, created_at);

-- An intake that joins nobody in the EMR, and whom else its address has there. Noted before its own patient is made, so
-- that an answer lost on the way does not lose it; taken away by the transaction that gives the intake its patient.
create table intake.own_patient (
  submission_id uuid primary key,
  other_patient_id text,
  reason text check (reason in ('other_person', 'record_incomplete')),
  check ((other_patient_id is null) = (reason is null))
);

-- What waits for a person here. Nothing in a row says anything of a patient but ids.
create table intake.work_item (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('identity_mismatch')),
  -- coded, as is the title a fixed text
  reason text not null,
  title text not null,
  -- ids by what they are of, such as intakeId and patientId
  refers_to jsonb not null,
  organization_id uuid,
  state text not null default 'open' check (state in ('open', 'snoozed', 'closed')),
  -- the answers it takes
  answers text[] not null,
  -- what it is about: there is one item for each, however often it is reported
  fact text not null,
  opened_at timestamptz not null default now(),
  due_at timestamptz not null,
  closed_at timestamptz,
  -- an admin's e-mail address, or system
  closed_by text,
  answer text,
  unique (kind, fact),
  check ((state = 'closed') = (closed_at is not null) and (closed_at is null) = (closed_by is null))
);
create index work_item_due on intake.work_item (due_at) where state <> 'closed';

-- Addresses stand here as keyed hashes only, which no migration can compute: codes live ten minutes, and who waits for
-- one asks for another (D92).
delete from intake.verification_code;
alter table intake.verification_code drop column email;
alter table intake.verification_code add column address text primary key;
comment on column intake.verification_code.address is 'keyed hash';
create index verification_code_expired on intake.verification_code (expires_at);

grant select, insert, update, delete on intake.own_patient to scriptrail_intake;
grant select, insert, update on intake.work_item to scriptrail_intake;
grant delete on intake.verification_code to scriptrail_intake;
