-- An order by its tracking number, the newest or an earlier one (D134).
create index submission_by_tracking on router.submission (tracking_number) where tracking_number is not null;
create index submission_by_parcels on router.submission using gin (parcels jsonb_path_ops)
  where jsonb_array_length(parcels) > 1;
