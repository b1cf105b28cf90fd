-- A stored medication has every field of a built-in one (D123).
alter table orchestrator.medication_config
  add unit text not null default 'mL',
  add concentration_warning boolean not null default false,
  add sku text,
  add treatment text check (treatment ~ '^[a-z0-9-]{1,40}$'),
  add is_active boolean not null default true,
  add updated_at timestamptz not null default now();
grant delete on orchestrator.medication_config to scriptrail_orchestrator;
-- A medication that a live schedule uses stays.
create index refill_schedule_of_medication on orchestrator.refill_schedule (medication, id)
  where status in ('active', 'paused');
