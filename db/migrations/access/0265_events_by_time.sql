-- Lists go by the time of an event, and a page of any time reads no more than the page.
create index access_event_newest on access.access_event (at desc, position desc);
drop index access.access_event_at;
drop index access.access_event_of_actor;
create index access_event_of_actor on access.access_event (actor, at desc, position desc);
drop index access.access_event_of_record;
create index access_event_of_record on access.access_event (record, at desc, position desc) where record is not null;
drop index access.access_event_of_action;
create index access_event_of_action on access.access_event (action, at desc, position desc);
