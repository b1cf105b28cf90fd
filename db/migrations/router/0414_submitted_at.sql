-- A client's submissions of a period (D131).
create index submission_of_client_submitted on router.submission (api_key_id, submitted_at);
