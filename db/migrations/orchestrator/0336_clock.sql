-- The day that counts as today while somebody tries the system out (D146). Only development reads it.
create table orchestrator.clock (
  is_only boolean primary key default true check (is_only),
  today date not null
);
grant select, insert, update, delete on orchestrator.clock to scriptrail_orchestrator;
