-- What the placeholders of a message were filled with, as JSON, so that a person can send it again (D135). Null for types that
-- hold a code or a link to sign in with.
alter table notification.delivery
  add column variables text,
  -- the message that this one sends again
  add column again_of uuid;
create index delivery_with_variables on notification.delivery (created_at) where variables is not null;
create index delivery_again on notification.delivery (again_of) where again_of is not null;
grant update (variables) on notification.delivery to scriptrail_retention;
