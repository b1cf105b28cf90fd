-- Templates, channel settings and the delivery log of the notification service (page 2, D68, D69).
create schema notification;
grant usage on schema notification to scriptrail_notification;

-- A change adds a version; the highest one is in force.
create table notification.template_version (
  type text not null,
  version integer not null check (version > 0),
  email_subject text not null default '',
  email_html text not null default '',
  email_text text not null default '',
  sms_body text not null default '',
  created_at timestamptz not null default now(),
  primary key (type, version)
);

create table notification.channel_config (
  type text primary key,
  email boolean not null,
  sms boolean not null,
  crm boolean not null,
  chat boolean not null,
  updated_at timestamptz not null default now()
);

-- One row per notification, claimed before anything is sent: the guard that outlives the run (design rule 2).
create table notification.delivery (
  id uuid primary key,
  client_id text not null,
  -- of the request, so that a repeated key with another body is noticed (D70)
  body_hash text not null,
  notification_type text not null,
  recipient_email text,
  recipient_phone text,
  missing_variables text[] not null default '{}',
  -- to name the channels of a notification whose run never said how they fared
  asked_channels text[] not null,
  channels jsonb not null default '[]' check (jsonb_typeof(channels) = 'array'),
  -- null while the channels are being tried
  status text check (status in ('sent', 'partial', 'failed')),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((status is null) = (finished_at is null))
);
create index delivery_newest on notification.delivery (created_at desc, id desc);
create index delivery_unfinished on notification.delivery (created_at) where status is null;

grant select, insert on notification.template_version to scriptrail_notification;
grant select, update on notification.channel_config to scriptrail_notification;
grant select, insert, update on notification.delivery to scriptrail_notification;
