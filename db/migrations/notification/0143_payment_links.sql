-- These two mails lead to where the payment can be made, where their sender says so (D107). What an admin has changed
-- stays.
with changed (type, sentence) as (values
  ('payment_error', 'Please check your payment method in your portal.'),
  ('pending_payment', 'A payment of {{amount}} is due on {{dueDate}}.')
),
added as (
  insert into notification.template_version (type, version, email_subject, email_html, email_text, sms_body)
  select type, version + 1, email_subject,
    replace(email_html, sentence, sentence || '</p>' || E'\n' || '<p><a href="{{paymentUrl}}" style="color:#0f6b5f;font-weight:600">{{paymentLinkText}}</a>'),
    replace(email_text, sentence, sentence || '{{paymentSentence}}'),
    sms_body
  from notification.template
  join notification.template_version using (type, version)
  join changed using (type)
  where created_by is null
  returning type, version
)
update notification.template
set version = added.version
from added
where template.type = added.type;
