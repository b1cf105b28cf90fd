-- A plan is a refill schedule with phases and gates (D125, D126); it has the id of its schedule.
create table orchestrator.plan (
  id uuid primary key references orchestrator.refill_schedule (id) on delete cascade,
  client text not null default '',
  plan_ref text not null,
  body_hash text not null,
  emr_patient_id text not null,
  treatment text not null,
  prescribed_until date not null,
  phase integer not null,
  is_first boolean not null,
  had_first boolean not null,
  last_days_supply integer not null,
  days_on_hand integer not null default 0,
  checked_fill integer,
  is_flagged boolean not null default false,
  is_cancelled boolean not null default false,
  decided_fill integer,
  asked_fill integer,
  waiting jsonb not null default '[]',
  -- the day of the last daily check that judged it; null after a change
  looked_on date,
  stopped_because text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What a patient was told before a fill (D127): 1 the check-in is due, 2 again three days before, 3 it is past due.
  noticed_fill integer,
  noticed integer not null default 0,
  -- a resume that moves the fill to its day begins another round
  notice_round integer not null default 0,
  -- past due once more, as people asked; the last time was on that day
  reminders integer not null default 0,
  reminded_on date,
  -- the newest decision was given when the gap before its fill was known: an earlier one does not count for it (D126)
  is_gap_decided boolean not null default false,
  unique (client, plan_ref)
);
create index plan_patient_idx on orchestrator.plan (emr_patient_id);

create table orchestrator.plan_phase (
  plan_id uuid not null references orchestrator.plan (id) on delete cascade,
  n integer not null,
  medication text not null,
  dosage text,
  fills integer not null,
  days_supply integer not null,
  check_in text not null check (check_in in ('none', 'phase', 'fill')),
  decision text not null check (decision in ('none', 'phase')),
  sent integer not null default 0,
  -- when the plan entered it last: directions that were changed from then on hold to its end (D145)
  since timestamptz not null default now(),
  primary key (plan_id, n)
);

-- The phase of each fill, as its run claimed it.
create table orchestrator.plan_fill (
  plan_id uuid not null references orchestrator.plan (id) on delete cascade,
  n integer not null,
  phase integer not null,
  is_first boolean not null,
  medication text not null,
  dosage text,
  days_supply integer not null,
  counted_at timestamptz,
  cancelled_at timestamptz,
  primary key (plan_id, n)
);

create table orchestrator.plan_check_in (
  id uuid primary key default gen_random_uuid(),
  plan_id uuid not null references orchestrator.plan (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  fill integer not null,
  phase integer not null,
  flagged boolean not null,
  days_on_hand integer,
  -- as the client wrote it; null once erased
  answers text
);
create index plan_check_in_idx on orchestrator.plan_check_in (plan_id, fill, at);

create table orchestrator.plan_decision (
  plan_id uuid not null references orchestrator.plan (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  fill integer not null,
  phase integer not null,
  by text not null,
  reason text,
  primary key (plan_id, at)
);

grant select, insert, update on orchestrator.plan, orchestrator.plan_phase, orchestrator.plan_fill,
  orchestrator.plan_check_in, orchestrator.plan_decision to scriptrail_orchestrator;
