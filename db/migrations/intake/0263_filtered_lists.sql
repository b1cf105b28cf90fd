-- A page of the queue by state reads no more than the page.
create index retry_queue_of_status on intake.retry_queue (status, created_at desc, id desc);
