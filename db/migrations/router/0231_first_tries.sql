-- Whether the submission was claimed where its request arrived, and no run has taken it over (D113): one that is left
-- open like that needs a run, while one whose run was ended from outside is closed.
alter table router.submission add column without_run boolean not null default false;
