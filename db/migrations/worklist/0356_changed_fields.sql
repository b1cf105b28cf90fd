-- Which fields of an order an answer changed (D145); their values stay with the order.
alter table worklist.history add column changed text[] not null default '{}';
