-- The changes of the answer hold for this order only, and not for the refills after it (D145).
alter table router.hold add column once_only boolean not null default false;
