-- A receipt lists what was paid for, one line each, where its sender says so (D121). Without items the line is empty.
-- What an admin has changed stays.
with added as (
  insert into notification.template_version (type, version, email_subject, email_html, email_text, sms_body)
  select type, version + 1, email_subject,
    replace(
      email_html, 'for order {{orderNumber}}.</p>',
      'for order {{orderNumber}}.</p>' || E'\n' || '<p style="white-space:pre-line;overflow-wrap:anywhere">{{items}}</p>'
    ),
    replace(email_text, 'for order {{orderNumber}}.', 'for order {{orderNumber}}.' || E'\n\n' || '{{items}}'),
    sms_body
  from notification.template
  join notification.template_version using (type, version)
  where type = 'receipt' and created_by is null
  returning type, version
)
update notification.template
set version = added.version
from added
where template.type = added.type;
