-- What the admin endpoints and the events of other services need (page 2, D69, D73).

-- The version in force: the one row that two changes at a time compete for.
create table notification.template (
  type text primary key,
  version integer not null,
  foreign key (type, version) references notification.template_version (type, version)
);
insert into notification.template (type, version)
select type, max(version)
from notification.template_version
group by type;

-- The admin; null for the versions that came with the service.
alter table notification.template_version add column created_by text;
alter table notification.channel_config
  add column updated_by text,
  add foreign key (type) references notification.template (type);

-- The log is searched by whom a message went to.
create index delivery_by_email on notification.delivery (lower(recipient_email), created_at desc, id desc);
create index delivery_by_phone on notification.delivery (recipient_phone, created_at desc, id desc);

-- Organizations that were made known to this service.
create table notification.organization (
  id text primary key,
  -- that told of it
  event_id uuid not null,
  recorded_at timestamptz not null default now()
);

grant select, update on notification.template to scriptrail_notification;
grant select, insert on notification.organization to scriptrail_notification;

-- A long word, as an address in a support message, breaks instead of pushing the mail wider than a phone.
update notification.template_version
set email_html = replace(email_html, 'class="card" style="', 'class="card" style="overflow-wrap:anywhere;word-break:break-word;')
where version = 1 and created_by is null;
