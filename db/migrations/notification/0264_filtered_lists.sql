-- A page of the log that a filter leaves little of reads no more than the page. Nearly all are sent.
create index delivery_of_type on notification.delivery (notification_type, created_at desc, id desc);
create index delivery_of_status on notification.delivery (status, created_at desc, id desc) where status <> 'sent';
-- A number counts for an erasure only where no address stands beside it, which is seldom.
create index delivery_of_number_alone on notification.delivery (recipient_phone) where recipient_email is null;
