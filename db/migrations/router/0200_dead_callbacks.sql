-- Counted whenever the process is asked for its metrics.
create index callback_dead on router.callback (created_at) where state = 'dead';
