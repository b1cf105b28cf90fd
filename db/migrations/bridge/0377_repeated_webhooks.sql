-- A webhook that comes again, byte for byte, is found by its signature: of each only so many rows are stored.
create index emr_webhook_events_repeated on bridge.emr_webhook_events (signature_header) where signature_valid;
