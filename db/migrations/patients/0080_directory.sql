-- The patient directory: who is known under which identifiers, and what was handed in when. No clinical data.
create table patients.patient_directory (
  id uuid primary key,
  mrn text not null check (mrn ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  organization_id uuid not null,
  emr_patient_id text,
  payment_customer_id text,
  identity_provider_id text,
  legacy_mrn text,
  email_lower text check (email_lower = lower(email_lower)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  -- addresses that the patient had before: messages and orders under them are the patient's too, until an erasure (D94)
  former_emails text[] not null default '{}'
);
create unique index patient_directory_mrn on patients.patient_directory (upper(mrn));
create unique index patient_directory_emr_patient on patients.patient_directory (emr_patient_id);
create index patient_directory_email on patients.patient_directory (email_lower);
create index patient_directory_former_email on patients.patient_directory using gin (former_emails)
  where former_emails <> '{}';

create table patients.intake_snapshots (
  id uuid primary key default gen_random_uuid(),
  -- the order of the archive: two may be handed in at the same moment
  sequence bigint generated always as identity,
  patient_id uuid not null references patients.patient_directory,
  organization_id uuid not null,
  intake_type text not null,
  submitted_at timestamptz not null,
  -- the bytes as they were sent, and their SHA-256 in hex, which still tells what was handed in once they are erased
  payload bytea not null,
  payload_hash text not null,
  source_ip text not null,
  user_agent text,
  created_at timestamptz not null default now(),
  erased_at timestamptz(3),
  check (erased_at is not null or payload_hash = encode(sha256(payload), 'hex'))
);
create index intake_snapshots_patient on patients.intake_snapshots (patient_id, sequence desc);

-- What is to be made in the EMR, committed before it is: whatever dies afterwards, the MRN finds what was made.
-- Kept for good: it also says what an Idempotency-Key was used for.
create table patients.create_intent (
  -- the patient's id
  id uuid primary key,
  mrn text not null,
  organization_id uuid not null,
  body_hash text not null,
  -- open: a run is at it; failed: the caller was told that there is no patient
  state text not null default 'open' check (state in ('open', 'completed', 'failed')),
  -- when the EMR is asked whether it holds a patient under the MRN that nobody has heard of; null: not any more
  look_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index create_intent_mrn on patients.create_intent (upper(mrn));
create index create_intent_open on patients.create_intent (updated_at) where state = 'open';
create index create_intent_look on patients.create_intent (look_at) where look_at is not null;

-- EMR patients without a directory row, for operators to reconcile.
create table patients.orphan_log (
  id uuid primary key default gen_random_uuid(),
  emr_patient_id text not null unique,
  mrn text not null,
  organization_id uuid not null,
  reason text not null,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  -- the admin, or null where a later create took the EMR patient
  settled_by text
);
create index orphan_log_newest on patients.orphan_log (created_at desc, id desc);
-- What an organization's own admins see of the log; their organizations are texts.
create index orphan_log_of_organization on patients.orphan_log ((organization_id::text), created_at desc, id desc);

-- Organizations as their events tell of them (D73).
create table patients.organization_state (
  organization_id uuid primary key,
  status text not null check (status in ('active', 'suspended', 'archived')),
  -- of the newest event; null where the organization service was asked
  changed_at timestamptz
);

create function patients.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end
$$;
-- Against every role, those that a later grant might let through too. The archive is added to and, by the retention role
-- alone, erased from.
create trigger never_changed before update on patients.intake_snapshots for each statement
  when (current_user <> 'scriptrail_retention') execute function patients.refuse_change();
create trigger never_deleted before delete or truncate on patients.intake_snapshots
  for each statement execute function patients.refuse_change();
create trigger never_deleted before delete or truncate on patients.patient_directory
  for each statement execute function patients.refuse_change();

grant select, insert on patients.patient_directory to scriptrail_patients;
grant update (emr_patient_id, payment_customer_id, identity_provider_id, legacy_mrn, email_lower, former_emails, updated_at,
  archived_at)
  on patients.patient_directory to scriptrail_patients;
grant select, insert on patients.intake_snapshots to scriptrail_patients;
-- deleted only when its number turns out to be taken in the EMR, before anything is made
grant select, insert, update, delete on patients.create_intent to scriptrail_patients;
grant select, insert, update on patients.orphan_log to scriptrail_patients;
grant select, insert, update on patients.organization_state to scriptrail_patients;
