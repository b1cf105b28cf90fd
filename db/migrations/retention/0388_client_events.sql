-- Events of clients have an age (D129). The last number of a client stays.
grant select, delete on orchestrator.client_event to scriptrail_retention;
