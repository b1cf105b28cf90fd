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
create index audit_event_of_organization on organization.audit_event (organization_id, position);
create index audit_event_of_actor on organization.audit_event (lower(actor), position);
create index audit_event_at on organization.audit_event (at);

grant select, insert on organization.audit_event to scriptrail_organization;
