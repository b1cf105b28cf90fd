-- Whose an address is, as long as an erasure runs (D94): it overwrites the intakes that say so. Empty afterwards.
alter table patients.erasure
  add column emails text[] not null default '{}',
  add column people jsonb not null default '[]',
  -- whether records stay that only an address links to the patient, since it may be another person's too
  add column leaves_by_address boolean not null default false;
grant update (emails, people, leaves_by_address) on patients.erasure to scriptrail_retention;
