-- What a patient was told before a fill (D127): 1 the check-in is due, 2 again three days before, 3 it is past due.
alter table orchestrator.plan
  add noticed_fill integer,
  add noticed integer not null default 0,
  -- a resume that moves the fill to its day begins another round
  add notice_round integer not null default 0,
  -- past due once more, as people asked; the last time was on that day
  add reminders integer not null default 0,
  add reminded_on date;

create index work_item_open_plan on orchestrator.work_item ((refers_to ->> 'planId'))
  where state <> 'closed' and kind in ('check_in_missing', 'decision_needed');
