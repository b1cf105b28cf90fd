-- When the answers of the pharmacy were lost (D114); null unless the outcome is `unanswered`, and for what was lost before
-- orders were asked for.
alter table router.submission add column unknown_since timestamptz;
create index submission_unknown on router.submission (unknown_since) where unknown_since is not null;
