-- The first version of every template, and e-mail as every type's only channel (page 2, Channels; D68).
-- Texts for SMS exist where a sender may ask for them; they name no medication.
-- `body`: paragraphs between `|`, with `%payment%` or `%items%` where a sender may add a line; `focus`: a line shown large;
-- `button` and `link`: what to press, and where it leads.
with layout (html) as (values ($html$<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>Scriptrail</title>
<style>
  p { margin: 0 0 16px; }
  @media (prefers-color-scheme: dark) {
    .page { background: #14181d !important; }
    .card { background: #1f252c !important; color: #e8ecf0 !important; }
    .focus { background: #2b333c !important; color: #ffffff !important; }
    .quiet { color: #9aa6b2 !important; }
    .brand { color: #7fc4b8 !important; }
  }
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f4f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<tr><td class="brand" style="padding:0 8px 12px;font-size:18px;font-weight:600;color:#0f6b5f">Scriptrail</td></tr>
<tr><td class="card" style="overflow-wrap:anywhere;word-break:break-word;padding:28px 24px 12px;border-radius:12px;background:#ffffff;color:#1d252c;font-size:16px;line-height:1.5">
%content%
</td></tr>
<tr><td class="quiet" style="padding:16px 8px;font-size:13px;line-height:1.5;color:#5d6873">This message was sent automatically about your care or your account. Please do not reply with medical details.</td></tr>
</table>
</td></tr></table>
</body>
</html>
$html$)),
content (type, subject, body, focus, button, link, sms) as (values
  -- General
  ('welcome', 'Welcome to Scriptrail', 'Hello {{patientName}},|Welcome. Your account is ready, and your care team will guide you through every step from here.', null, null, null, ''),
  ('otp', 'Your verification code', 'Use this code to confirm your e-mail address. It is valid for 10 minutes.|If you did not ask for a code, you can ignore this message.', '{{code}}', null, null,
    'Scriptrail: your verification code is {{code}}. Never share it with anyone.'),
  ('password_reset', 'Reset your password', 'Hello {{patientName}},|We received a request to reset your password. If it was not you, no action is needed.', null, 'Choose a new password', '{{resetLink}}', ''),
  ('information_changed', 'Your information was updated', 'Hello {{patientName}},|The following details of your account were changed: {{changedFields}}.|If you did not make this change, please contact support.', null, null, null, ''),
  ('prescription_changed', 'Your prescription has changed', 'Hello {{patientName}},|Your prescription for {{medication}} was changed: {{change}}', null, null, null, ''),
  ('what_to_expect', 'What happens next', 'Hello {{patientName}},|Thank you for completing your {{intakeType}} intake. A clinician will review your answers, and we will write to you as soon as there is a decision.', null, null, null, ''),
  ('doctor_message', 'You have a new message from your clinician', 'Hello {{patientName}},|{{providerName}} has sent you a message. Sign in to your portal to read it.', null, null, null, ''),
  ('support_message', 'A message from support', 'Hello {{patientName}},|{{message}}', null, null, null, ''),
  ('first_prescription', 'Your first prescription', 'Hello {{patientName}},|{{providerName}}, {{providerSuffix}}, has written your first prescription for {{medication}}.|{{dosingLine}}', null, null, null, ''),
  ('new_prescription', 'You have a new prescription', 'Hello {{patientName}},|A new prescription for {{medication}} was sent to {{pharmacyName}}.', null, null, null, ''),
  ('new_refill', 'Your refill is on its way', 'Hello {{patientName}},|Your refill of {{medication}} was sent to the pharmacy. We will write again when it ships.', null, null, null, ''),
  ('four_month_checkin', 'Your four-month check-in', 'Hello {{patientName}},|It has been four months. Please sign in to your portal and tell your care team how you are doing.', null, null, null, ''),
  ('subscription_renewal', 'Your subscription renews soon', 'Hello {{patientName}},|Your {{plan}} plan renews on {{renewalDate}} for {{amount}}.', null, null, null, ''),
  ('payment_method_updated', 'Your payment method was updated', 'Hello {{patientName}},|Your payment method was updated. If you did not make this change, please contact support.', null, null, null, ''),
  ('doctor_reviewed', 'Your information was reviewed', 'Hello {{patientName}},|{{providerName}} has reviewed your information. Sign in to your portal to see the next step.', null, null, null, ''),
  ('magic_link', 'Your sign-in link', 'Use the link below to sign in. It is meant for you alone, so please do not forward it.{{intakeTypeSentence}}', null, 'Sign in', '{{magicLinkUrl}}', ''),
  ('follow_up_due', 'Your follow-up is due', 'Hello {{patientName}},|Your follow-up is due on {{dueDate}}. Please sign in to your portal to complete it.', null, null, null, ''),
  ('follow_up_past_due', 'Your follow-up is past due', 'Hello {{patientName}},|Your follow-up was due on {{dueDate}}. Please complete it soon, so that your treatment is not interrupted.', null, null, null, ''),
  ('follow_up_two_days', 'Your follow-up is in two days', 'Hello {{patientName}},|This is a reminder of your follow-up on {{appointmentDate}}.', null, null, null, ''),
  ('checkin_renewal', 'Time to renew your treatment', 'Hello {{patientName}},|Please complete a short check-in, so that your clinician can renew your treatment.', null, null, null, ''),
  ('visit_scheduled', 'Your visit is scheduled', 'Hello {{patientName}},|Your visit with {{providerName}} is scheduled for {{appointmentDate}}.', null, null, null, ''),
  ('visit_upcoming', 'Your visit is coming up', 'Hello {{patientName}},|This is a reminder of your visit with {{providerName}} on {{appointmentDate}}.', null, null, null, ''),
  ('visit_complete', 'Thank you for your visit', 'Hello {{patientName}},|Thank you for meeting with {{providerName}}. You will find the notes of your visit in your portal.', null, null, null, ''),
  ('three_month_checkin', 'Your three-month check-in', 'Hello {{patientName}},|It has been three months. Please sign in to your portal and tell your care team how you are doing.', null, null, null, ''),
  ('billing_plan_change', 'Your plan has changed', 'Hello {{patientName}},|Your plan was changed from {{oldPlan}} to {{newPlan}}. The new price is {{amount}}.', null, null, null, ''),
  ('pending_payment', 'A payment is pending', 'Hello {{patientName}},|A payment of {{amount}} is due on {{dueDate}}.%payment%', null, null, null, ''),
  ('treatment_change', 'Your treatment has changed', 'Hello {{patientName}},|Your treatment with {{medication}} was changed: {{change}}', null, null, null, ''),
  ('balance_expiring', 'Your balance expires soon', 'Hello {{patientName}},|Your balance of {{balance}} expires on {{expiryDate}}.', null, null, null, ''),
  ('questionnaire_link', 'Please complete your questionnaire', 'Hello {{patientName}},|Your care team needs a few answers from you before the next step.', null, 'Open the questionnaire', '{{questionnaireUrl}}', ''),
  -- Orders
  ('first_order_confirmation', 'Thank you for your first order', 'Hello {{patientName}},|We have received your first order of {{medication}}. Your order number is {{orderNumber}}. We will write again when it ships.', null, null, null, ''),
  ('order_confirmation', 'We have received your order', 'Hello {{patientName}},|We have received your order of {{medication}}. Your order number is {{orderNumber}}.', null, null, null, ''),
  ('receipt', 'Your receipt', 'Hello {{patientName}},|Thank you for your payment of {{amount}} for order {{orderNumber}}.%items%', null, null, null, ''),
  ('order_edited', 'Your order was changed', 'Hello {{patientName}},|Your order {{orderNumber}} was changed: {{change}}', null, null, null, ''),
  ('order_canceled', 'Your order was canceled', 'Hello {{patientName}},|Your order {{orderNumber}} was canceled. {{reason}}', null, null, null, ''),
  ('abandoned_checkout', 'Your intake is waiting for you', 'You started an intake and have not finished it yet. You can go on whenever you are ready.{{intakeTypeSentence}}', null, 'Continue', '{{magicLinkUrl}}', ''),
  ('abandoned_post_checkout', 'One more step to complete your order', 'Hello {{patientName}},|Your order needs one more step from you before we can go on.', null, 'Continue', '{{magicLinkUrl}}', ''),
  ('payment_error', 'Your payment did not go through', 'Hello {{patientName}},|We could not complete your payment of {{amount}}. {{reason}}|Please check your payment method in your portal.%payment%', null, null, null, ''),
  ('lab_received', 'Your lab order was received', 'Hello {{patientName}},|The laboratory has received your sample. We will write again when the results are ready.', null, null, null, ''),
  ('lab_resulted', 'Your lab results are ready', 'Hello {{patientName}},|Your lab results are ready. Sign in to your portal to see them.', null, null, null, ''),
  ('lab_rejected', 'Your lab sample could not be used', 'Hello {{patientName}},|The laboratory could not use your sample. {{reason}}|We will contact you about the next step.', null, null, null, ''),
  ('treatment_active', 'Your treatment is active', 'Hello {{patientName}},|Your treatment with {{medication}} is now active.', null, null, null, ''),
  -- Shipping
  ('first_shipping_confirmation', 'Your first order has shipped', 'Hello {{patientName}},|Your first order of {{medication}} is on its way with {{carrier}}. Please store it as the label says as soon as it arrives.', 'Tracking number {{trackingNumber}}', null, null,
    'Scriptrail: Hello {{patientName}}, your first order has shipped with {{carrier}}. Tracking number: {{trackingNumber}}'),
  ('shipping_confirmation', 'Your order has shipped', 'Hello {{patientName}},|Your order of {{medication}} is on its way with {{carrier}}.', 'Tracking number {{trackingNumber}}', null, null,
    'Scriptrail: Hello {{patientName}}, your order has shipped with {{carrier}}. Tracking number: {{trackingNumber}}'),
  ('shipping_update', 'An update on your delivery', 'Hello {{patientName}},|There is news of your order of {{medication}}: {{status}}. The carrier is {{carrier}}.', 'Tracking number {{trackingNumber}}', null, null,
    'Scriptrail: Hello {{patientName}}, your delivery with {{carrier}} has a new status: {{status}}. Tracking number: {{trackingNumber}}'),
  ('delivery_tomorrow', 'Your order arrives tomorrow', 'Hello {{patientName}},|Your order of {{medication}} should arrive tomorrow. Please make sure that someone can receive it.', 'Tracking number {{trackingNumber}}', null, null,
    'Scriptrail: Hello {{patientName}}, your order should arrive tomorrow. Tracking number: {{trackingNumber}}'),
  ('out_for_delivery', 'Your order is out for delivery', 'Hello {{patientName}},|Your order of {{medication}} is out for delivery and should arrive today.', 'Tracking number {{trackingNumber}}', null, null,
    'Scriptrail: Hello {{patientName}}, your order is out for delivery today. Tracking number: {{trackingNumber}}'),
  ('delivered', 'Your order was delivered', 'Hello {{patientName}},|Your order of {{medication}} was delivered. If you cannot find it, please contact support.', 'Tracking number {{trackingNumber}}', null, null,
    'Scriptrail: Hello {{patientName}}, your order was delivered. Tracking number: {{trackingNumber}}'),
  -- Approval
  ('prescription_approved', 'Your prescription was approved', 'Hello {{patientName}},|Good news: your prescription for {{medication}} was approved and sent to {{pharmacyName}}. We will write again when your order ships.', null, null, null,
    'Scriptrail: Hello {{patientName}}, your prescription was approved and sent to the pharmacy. We will let you know when it ships.'),
  ('prescription_denied', 'An update on your prescription request', 'Hello {{patientName}},|After reviewing your information, the clinician has decided not to approve this prescription. {{reason}}|Please contact support with any questions.', null, null, null,
    'Scriptrail: Hello {{patientName}}, there is an update on your prescription request. Please see your e-mail or contact support.')
),
-- The link to a payment is a line as high as a thumb needs (44 px), and not a button: where a mail has no payment to lead
-- to it is empty, and then takes no room (D107). A receipt lists what was paid for, one line each (D121).
parts as (
  select type, subject, sms,
    (select string_agg('<p>' || paragraph || '</p>', E'\n') from unnest(string_to_array(body, '|')) paragraph) as paragraphs,
    '</p>' || E'\n' || '<p><a href="{{paymentUrl}}" style="display:block;line-height:44px;color:#0f6b5f;font-weight:600">{{paymentLinkText}}</a>' as payment_html,
    '</p>' || E'\n' || '<p style="white-space:pre-line;overflow-wrap:anywhere">{{items}}' as items_html,
    '<p class="focus" style="padding:12px 16px;border-radius:8px;background:#eef3f2;font-size:20px;font-weight:600;overflow-wrap:anywhere">' || focus || '</p>' as focus_html,
    '<p><a href="' || link || '" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f6b5f;color:#ffffff;font-weight:600;text-decoration:none">' || button || '</a></p>' as button_html,
    concat_ws(E'\n\n', replace(body, '|', E'\n\n'), focus, button || ': ' || link) as text
  from content
),
mails as (
  select type, subject, sms,
    concat_ws(
      E'\n',
      replace(replace(paragraphs, '%payment%', payment_html), '%items%', items_html),
      focus_html, button_html
    ) as html,
    replace(replace(text, '%payment%', '{{paymentSentence}}'), '%items%', E'\n\n{{items}}') as text
  from parts
)
insert into notification.template_version (type, version, email_subject, email_html, email_text, sms_body)
select type, 1, subject, replace(layout.html, '%content%', mails.html), text, sms
from mails, layout;

insert into notification.template (type, version)
select type, version from notification.template_version;

insert into notification.channel_config (type, email, sms, crm, chat)
select type, true, false, false, false
from notification.template;
