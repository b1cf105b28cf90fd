-- The parcels of an order, as its pharmacy named them (D155). `shipment_id` is the shipping service's record.
create table orchestrator.parcel (
  submission_id uuid not null references orchestrator.shipment,
  n integer not null check (n > 0),
  tracking_number text not null,
  carrier text,
  shipment_id text,
  at timestamptz not null default now(),
  primary key (submission_id, n),
  unique (submission_id, tracking_number)
);
grant select, insert, update on orchestrator.parcel to scriptrail_orchestrator;
