import type { Template } from '../../domain/notification/notification-channels.js';
import { type NotificationType, requiredVariables } from '../../domain/notification/notification-types.js';

export type Rendered = Template & { type: NotificationType };

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** One page, without external files, that shows every notification as a phone does. */
export const galleryPage = (notifications: readonly Rendered[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scriptrail: every notification</title>
<style>
  body { margin: 0; padding: 24px 16px; background: #dfe4e8; color: #1d252c; font: 15px/1.5 system-ui, sans-serif; }
  main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(375px, 100%), 1fr)); gap: 32px 24px; }
  article { max-width: 375px; width: 100%; }
  h2 { margin: 0; font-size: 16px; overflow-wrap: anywhere; }
  .variables { margin: 0 0 8px; color: #5d6873; font-size: 13px; }
  .phone { border-radius: 16px; overflow: hidden; background: #fff; box-shadow: 0 1px 4px #0003; }
  .subject { margin: 0; padding: 12px 16px; border-bottom: 1px solid #e3e7ea; font-weight: 600; }
  iframe { display: block; width: 100%; height: 420px; border: 0; }
  .text { margin: 0; padding: 12px 16px; border-top: 1px solid #e3e7ea; color: #5d6873; font-size: 13px; white-space: pre-wrap; overflow-wrap: anywhere; }
  .sms { margin: 12px 0 0; padding: 10px 14px; border-radius: 16px 16px 16px 4px; background: #fff; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>Every notification</h1>
<p>Each template as installed, filled in with invented values: the HTML e-mail at the width of a phone, its plain text, and the text message if the type has one. Written by <code>npm run generate -- gallery</code>.</p>
<main>
${notifications.map(article).join('\n')}
</main>
<script>
  for (const frame of document.querySelectorAll('iframe')) {
    const fit = () => { frame.style.height = 0; frame.style.height = frame.contentDocument.documentElement.scrollHeight + 'px'; };
    frame.addEventListener('load', fit);
    if (frame.contentDocument?.readyState === 'complete') fit();
  }
</script>
</body>
</html>
`;

const article = ({
  type,
  emailSubject,
  emailHtml,
  emailText,
  smsBody,
}: Rendered): string => `<article id="${type}">
<h2>${type}</h2>
<p class="variables">${requiredVariables[type].join(', ')}</p>
<div class="phone">
<p class="subject">${escape(emailSubject)}</p>
<iframe title="${type}" sandbox="allow-same-origin" srcdoc="${escape(emailHtml)}"></iframe>
<p class="text">${escape(emailText)}</p>
</div>${smsBody === '' ? '' : `\n<p class="sms">${escape(smsBody)}</p>`}
</article>`;
