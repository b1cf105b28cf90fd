-- These two mails say which intake they are about, where their sender says so (D97). What an admin has changed stays.
with changed (type, sentence) as (values
  ('magic_link', 'It is meant for you alone, so please do not forward it.'),
  ('abandoned_checkout', 'You can go on whenever you are ready.')
),
added as (
  insert into notification.template_version (type, version, email_subject, email_html, email_text, sms_body)
  select type, version + 1, email_subject,
    replace(email_html, sentence, sentence || '{{intakeTypeSentence}}'),
    replace(email_text, sentence, sentence || '{{intakeTypeSentence}}'),
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
