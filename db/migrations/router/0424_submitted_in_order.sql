-- The submissions of a period come in order, a page from where the last one ended (D131).
create index submission_of_client_in_period on router.submission (api_key_id, submitted_at, id);
drop index router.submission_of_client_submitted;
