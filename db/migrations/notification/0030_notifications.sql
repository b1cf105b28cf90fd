-- Templates, channel settings and the delivery log of the notification service (page 2, D68, D69).

-- A change adds a version.
create table notification.template_version (
  type text not null,
  version integer not null check (version > 0),
  email_subject text not null default '',
  email_html text not null default '',
  email_text text not null default '',
  sms_body text not null default '',
  created_at timestamptz not null default now(),
  -- the admin; null for the versions that came with the service
  created_by text,
  primary key (type, version)
);

-- The version in force: the one row that two changes at a time compete for.
create table notification.template (
  type text primary key,
  version integer not null,
  foreign key (type, version) references notification.template_version (type, version)
);

create table notification.channel_config (
  type text primary key references notification.template,
  email boolean not null,
  sms boolean not null,
  crm boolean not null,
  chat boolean not null,
  updated_at timestamptz not null default now(),
  updated_by text
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
  -- what a durable caller asked for, while it is tried where the request arrived (D113): a run that takes over begins
  -- with it. It holds names and variables: null once a run has it, or its channels have been tried.
  first_try jsonb,
  -- what the placeholders were filled with, as JSON, so that a person can send the message again (D135); null for types
  -- that hold a code or a link to sign in with
  variables text,
  -- the message that this one sends again
  again_of uuid,
  check ((status is null) = (finished_at is null)),
  check (first_try is null or status is null)
);
create index delivery_newest on notification.delivery (created_at desc, id desc);
create index delivery_unfinished on notification.delivery (created_at) where status is null;
-- The log is searched by whom a message went to.
create index delivery_by_email on notification.delivery (lower(recipient_email), created_at desc, id desc);
create index delivery_by_phone on notification.delivery (recipient_phone, created_at desc, id desc);
-- A page of the log that a filter leaves little of reads no more than the page. Nearly all are sent.
create index delivery_of_type on notification.delivery (notification_type, created_at desc, id desc);
create index delivery_of_status on notification.delivery (status, created_at desc, id desc) where status <> 'sent';
-- A number counts for an erasure only where no address stands beside it, which is seldom.
create index delivery_of_number_alone on notification.delivery (recipient_phone) where recipient_email is null;
create index delivery_with_variables on notification.delivery (created_at) where variables is not null;
create index delivery_again on notification.delivery (again_of) where again_of is not null;

-- Organizations that were made known to this service.
create table notification.organization (
  id text primary key,
  -- that told of it
  event_id uuid not null,
  recorded_at timestamptz not null default now()
);

grant select, insert on notification.template_version, notification.organization to scriptrail_notification;
grant select, update on notification.template, notification.channel_config to scriptrail_notification;
grant select, insert, update on notification.delivery to scriptrail_notification;
