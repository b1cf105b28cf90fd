-- The pharmacy router: which pharmacy serves which state, what was submitted, and what is to be told about it.
create schema router;
grant usage on schema router to scriptrail_router;

-- The active record of the highest priority wins. Seeded with the assignments of domain/pharmacy-routing.ts.
create table router.route (
  state text not null check (state ~ '^[A-Z]{2}$'),
  pharmacy text not null check (pharmacy in ('pharmacy_a', 'pharmacy_b', 'pharmacy_c')),
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

-- A body on its way into a submission: it can be larger than Temporal carries, so only its id travels (D6, D7).
create table router.received_payload (
  claim_id uuid primary key,
  body text not null,
  received_at timestamptz not null default now()
);

create table router.submission (
  id uuid primary key,
  api_key_id text not null,
  source text not null,
  source_order_id text not null,
  callback_url text not null,
  patient_state text not null,
  medication_name text not null,
  pharmacy text not null check (pharmacy in ('pharmacy_a', 'pharmacy_b', 'pharmacy_c')),
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
  unique (api_key_id, source, source_order_id),
  check ((outcome = 'accepted') = (pharmacy_order_id is not null))
);
create index submission_pharmacy_order on router.submission (pharmacy_order_id)
  where pharmacy_order_id is not null;

create table router.callback (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references router.submission,
  sequence integer not null,
  kind text not null check (kind in ('initial', 'update')),
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead', 'stopped')),
  payload text not null,
  created_at timestamptz not null default now(),
  unique (submission_id, sequence)
);
create index callback_pending on router.callback (created_at) where state = 'pending';

grant select on router.route to scriptrail_router;
grant select, insert, delete on router.received_payload to scriptrail_router;
grant select, insert, update on router.submission to scriptrail_router;
grant select, insert on router.callback to scriptrail_router;
