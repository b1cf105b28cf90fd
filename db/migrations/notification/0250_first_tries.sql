-- What a durable caller asked for, while it is tried where the request arrived (D113): a run that takes over begins with it.
-- It holds names and variables, and goes with the first try: null once a run has it, or its channels have been tried.
alter table notification.delivery
  add column first_try jsonb,
  add check (first_try is null or status is null);
grant update (first_try) on notification.delivery to scriptrail_retention;
