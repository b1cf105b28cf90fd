-- A page of a client's list that a filter leaves little of reads no more than the page.
create index submission_of_status on router.submission (api_key_id, status, created_at desc, id desc);
create index submission_of_pharmacy on router.submission (api_key_id, pharmacy, created_at desc, id desc);
-- A client's own id of an order is often asked for without its source.
alter table router.submission
  drop constraint submission_api_key_id_source_source_order_id_key,
  add unique (api_key_id, source_order_id, source);
