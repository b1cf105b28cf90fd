-- Who did what to whom, when and from where; written with the change it tells of, never changed.
create table organization.audit_event (
  id uuid primary key default gen_random_uuid(),
  position bigint generated always as identity unique,
  at timestamptz not null default now(),
  -- the e-mail address at that time
  actor text not null,
  action text not null,
  target text not null,
  organization_id uuid,
  ip text not null,
  user_agent text
);
-- A page of any time reads no more than the page.
create index audit_event_newest on organization.audit_event (at desc, position desc);
create index audit_event_of_organization on organization.audit_event (organization_id, at desc, position desc);
create index audit_event_of_actor on organization.audit_event (lower(actor), at desc, position desc);

grant select, insert on organization.audit_event to scriptrail_organization;
