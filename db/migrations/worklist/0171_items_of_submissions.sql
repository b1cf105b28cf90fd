-- A timeline looks for the items of a task's orders too (D111): the router knows those by their submissions only.
create index work_item_of_submission on worklist.work_item ((refers_to ->> 'submissionId'));
