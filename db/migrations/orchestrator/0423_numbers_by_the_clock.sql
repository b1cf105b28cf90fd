-- The relay that numbers events looks for them a few times a second, so a commit needs no notification, which would let
-- one transaction commit at a time.
drop trigger client_event_recorded on orchestrator.client_event;
drop function orchestrator.wake_event_relay();
