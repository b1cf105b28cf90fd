-- The signatures that went out with prescriptions, each once, under the SHA-256 of its Base64. A prescription keeps the
-- one it was first submitted with, so that repeating the submission repeats it exactly (D21).
create table orchestrator.prescriber_signature (
  id text primary key,
  base64 text not null,
  created_at timestamptz not null default now()
);

grant select, insert on orchestrator.prescriber_signature to scriptrail_orchestrator;
