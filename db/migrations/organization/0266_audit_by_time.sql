-- Lists go by the time of an event, and a page of any time reads no more than the page.
drop index organization.audit_event_at;
create index audit_event_newest on organization.audit_event (at desc, position desc);
drop index organization.audit_event_of_organization;
create index audit_event_of_organization on organization.audit_event (organization_id, at desc, position desc);
drop index organization.audit_event_of_actor;
create index audit_event_of_actor on organization.audit_event (lower(actor), at desc, position desc);
