-- Takes the place of the static entry of the same key (D31), and has every field of it (D123).
create table orchestrator.medication_config (
  type text primary key,
  drug_name text not null,
  sig text not null,
  quantity_ml numeric not null check (quantity_ml > 0),
  refills integer not null default 3 check (refills >= 0),
  days_supply integer not null default 28 check (days_supply > 0),
  price_cents integer not null check (price_cents >= 0),
  indication text,
  clinical_justification text,
  unit text not null default 'mL',
  concentration_warning boolean not null default false,
  sku text,
  treatment text check (treatment ~ '^[a-z0-9-]{1,40}$'),
  is_active boolean not null default true,
  updated_at timestamptz not null default now()
);

-- The signatures that went out with prescriptions, each once, under the SHA-256 of its Base64. A prescription keeps the
-- one it was first submitted with, so that repeating the submission repeats it exactly (D21).
create table orchestrator.prescriber_signature (
  id text primary key,
  base64 text not null,
  created_at timestamptz not null default now()
);

-- The states where the registry had no prescriber when step 3 asked last (D122). A row stays, dismissed or not, until the
-- registry has one.
create table orchestrator.prescriber_gap (
  platform text not null,
  state text not null,
  asked_at timestamptz not null default now(),
  primary key (platform, state)
);

-- Patients who get no more refills, with the reason of the EMR or of our directory (D117). A schedule that is made
-- later is paused by it, and a recovery of a charge ends.
create table orchestrator.patient_departure (
  emr_patient_id text primary key,
  reason text not null
    check (reason in ('patient_inactive', 'patient_merged', 'patient_deceased', 'patient_archived')),
  updated_at timestamptz not null default now()
);

grant select, insert on orchestrator.prescriber_signature to scriptrail_orchestrator;
grant select, insert, update, delete on orchestrator.medication_config, orchestrator.prescriber_gap,
  orchestrator.patient_departure to scriptrail_orchestrator;
