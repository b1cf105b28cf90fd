-- Few are open at any time, and the sweep looks for these alone.
create index submission_open on router.submission (updated_at) where outcome is null;
