-- The link to a payment is as high as a thumb needs, 44 px, as the buttons of the other mails are. A line of its own
-- height and not a button: where a mail has no payment to lead to the link is empty, and then takes no room. What an admin
-- has changed stays.
with added as (
  insert into notification.template_version (type, version, email_subject, email_html, email_text, sms_body)
  select type, version + 1, email_subject,
    replace(
      email_html,
      '<a href="{{paymentUrl}}" style="color:#0f6b5f;font-weight:600">',
      '<a href="{{paymentUrl}}" style="display:block;line-height:44px;color:#0f6b5f;font-weight:600">'
    ),
    email_text, sms_body
  from notification.template
  join notification.template_version using (type, version)
  where type in ('payment_error', 'pending_payment') and created_by is null
  returning type, version
)
update notification.template
set version = added.version
from added
where template.type = added.type;
