-- What a pharmacy shipped in a period (D133).
create index submission_shipped on router.submission (pharmacy, (coalesce(shipped_at, delivered_at)), id)
  where coalesce(shipped_at, delivered_at) is not null;
