-- The pharmacy router: which pharmacy serves which state, and what was submitted. The code has the one list of pharmacies
-- (domain/pharmacies.ts), so that a new one needs no migration.

-- The active record of the highest priority wins. Seeded with the assignments of domain/pharmacy-routing.ts.
create table router.route (
  state text not null check (state ~ '^[A-Z]{2}$'),
  pharmacy text not null,
  priority integer not null,
  is_active boolean not null default true,
  primary key (state, pharmacy)
);

insert into router.route (state, pharmacy, priority)
select unnest(string_to_array(seed.states, ' ')), seed.pharmacy, 10
from (values
  ('pharmacy_a', 'AK DC DE HI IA ID MA MD ME MI MO MS MT ND NE NH NM OR RI SC SD UT VA VT WA WV WY'),
  ('pharmacy_b', 'TX'),
  ('pharmacy_c', 'AL AZ CO CT FL GA IL IN KS KY LA NJ NV NY OH PA TN WI')
) as seed (pharmacy, states);

-- The articles that operators add to those of the code (D124). Pharmacies that share a system share its articles.
create table router.article (
  pharmacy text not null,
  match text not null check (match <> ''),
  article text not null check (article <> ''),
  strength text,
  medication text,
  updated_at timestamptz not null default now()
);
create unique index article_of_match on router.article (pharmacy, lower(match));

-- A body on its way into a submission: it can be larger than Temporal carries, so only its id travels (D6, D7).
create table router.received_payload (
  claim_id uuid primary key,
  body text not null,
  received_at timestamptz not null default now(),
  -- tells a body left behind by a crash from one that a run will still take
  submission_id uuid
);

create table router.submission (
  id uuid primary key,
  api_key_id text not null,
  source text not null,
  source_order_id text not null,
  callback_url text not null,
  patient_state text not null,
  medication_name text not null,
  pharmacy text not null,
  is_test boolean not null,
  -- the bytes as received, and a hash that is equal for bodies equal as JSON
  request_payload text not null,
  payload_hash text not null,
  -- the request that holds the row at present: a run that was replaced can write nothing any more
  claim_id uuid not null,
  -- part of the pharmacy's idempotency key, and the calls made with that key
  try integer not null default 1,
  calls integer not null default 0,
  -- null while the pharmacy is asked
  outcome text check (outcome in ('accepted', 'rejected', 'unanswered')),
  status text not null
    check (status in ('submitted', 'failed', 'shipped', 'delivered', 'cancelled', 'processing')),
  pharmacy_order_id text,
  tracking_number text,
  carrier text,
  error_message text,
  response_payload text,
  -- the sequence of the newest callback, taken under this row's lock
  last_callback integer not null default 0,
  submitted_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- the receiver answered 410: nothing of this submission is told any more
  callbacks_stopped boolean not null default false,
  -- when the answers of the pharmacy were lost (D114); null unless the outcome is `unanswered`
  unknown_since timestamptz,
  -- when the pharmacy last said anything of the order, by itself or asked (D102)
  heard_at timestamptz not null default now(),
  asked_at timestamptz,
  -- questions without an answer since then
  asked_in_vain integer not null default 0,
  -- the first time each, as we heard of it
  accepted_at timestamptz,
  shipped_at timestamptz,
  delivered_at timestamptz,
  -- claimed where its request arrived, and no run has taken it over (D113): one that is left open like that needs a run,
  -- while one whose run was ended from outside is closed
  without_run boolean not null default false,
  -- the first call of a try fixes it, so that every call with its key orders the same
  article text,
  -- [{trackingNumber, carrier, at}], oldest first; the last one is the row's own tracking
  parcels jsonb not null default '[]',
  -- a client's own id of an order is often asked for without its source
  unique (api_key_id, source_order_id, source),
  check ((outcome = 'accepted') = (pharmacy_order_id is not null))
);
create index submission_pharmacy_order on router.submission (pharmacy_order_id)
  where pharmacy_order_id is not null;
create index submission_unknown on router.submission (unknown_since) where unknown_since is not null;
create index submission_silent on router.submission (heard_at)
  where outcome = 'accepted' and status in ('submitted', 'processing', 'shipped');
create index submission_submitted on router.submission (submitted_at);
-- Few are open at any time, and the sweep looks for these alone.
create index submission_open on router.submission (updated_at) where outcome is null;
-- A client's list, newest first: a page of it that a filter leaves little of reads no more than the page.
create index submission_of_client on router.submission (api_key_id, created_at desc, id desc);
create index submission_of_status on router.submission (api_key_id, status, created_at desc, id desc);
create index submission_of_pharmacy on router.submission (api_key_id, pharmacy, created_at desc, id desc);
-- The submissions of a period come in order, a page from where the last one ended (D131).
create index submission_of_client_in_period on router.submission (api_key_id, submitted_at, id);
-- What a pharmacy shipped in a period (D133).
create index submission_shipped on router.submission (pharmacy, (coalesce(shipped_at, delivered_at)), id)
  where coalesce(shipped_at, delivered_at) is not null;
-- An order by its tracking number, the newest or an earlier one (D134).
create index submission_by_tracking on router.submission (tracking_number) where tracking_number is not null;
create index submission_by_parcels on router.submission using gin (parcels jsonb_path_ops)
  where jsonb_array_length(parcels) > 1;

grant select, insert, update on router.route, router.submission to scriptrail_router;
grant select, insert, update, delete on router.article to scriptrail_router;
grant select, insert, delete on router.received_payload to scriptrail_router;
