-- In the order of the list: a page of it reads no more than the page, however many items are closed.
create index work_item_listed on worklist.work_item ((closed_at is not null), due_at, id);
create index work_item_of_kind on worklist.work_item (kind, (closed_at is not null), due_at, id);
create index work_item_of_organization
  on worklist.work_item ((organization_id::text), (closed_at is not null), due_at, id);
drop index worklist.work_item_closed;
