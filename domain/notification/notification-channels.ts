import { withIntakeTypeSentence } from './intake-type.js';
import { withPaymentLink } from './payment-link.js';
import { healthVariables, type NotificationType, type Variables } from './notification-types.js';
import { toDialable } from '../phone-number.js';
import { oneLine, render, variablesIn } from './template.js';

/** The channels that a sender may request; a type's configuration has all but `push` (page 2, Channels). */
export const channelNames = ['email', 'sms', 'crm', 'chat', 'push'] as const;
export type ChannelName = (typeof channelNames)[number];
export type ConfigurableChannel = Exclude<ChannelName, 'push'>;

export interface Recipient {
  email?: string | undefined;
  phone?: string | undefined;
  name?: string | undefined;
  /** Addresses that the sender left out because no message can reach them (D150). */
  unusable?: ('email' | 'phone')[] | undefined;
}

export interface Template {
  emailSubject: string;
  emailHtml: string;
  emailText: string;
  smsBody: string;
}

export interface EmailMessage {
  to: { address: string; name: string };
  subject: string;
  html: string;
  text: string;
}

export interface SmsMessage {
  to: string;
  body: string;
}

/** A post to the chat webhook; `text` is in its markup. */
export interface ChatMessage {
  text: string;
}

/** A message for the CRM, which knows the person by the address. */
export interface CrmMessage {
  type: NotificationType;
  email?: string;
  phone?: string;
  name?: string;
  subject: string;
  text: string;
}

export type PlannedDelivery =
  | { channel: 'email'; email: EmailMessage }
  | { channel: 'sms'; sms: SmsMessage }
  | { channel: 'chat'; chat: ChatMessage }
  | { channel: 'crm'; crm: CrmMessage }
  | { channel: ChannelName; skip: string }
  | { channel: ChannelName; refuse: string };

export type WebhookChannel = 'chat' | 'crm';

export interface NotificationSource {
  type: NotificationType;
  recipient: Recipient;
  template: Template;
  variables: Variables;
  webhooks: readonly WebhookChannel[];
}

/** Characters of one message, far above any real one. */
const maxMessageLength = 500_000;

/** Bytes of all messages together as JSON; Temporal accepts results of up to 2 MB. */
const maxPlanBytes = 1_500_000;

const channels: Record<ChannelName, (source: NotificationSource) => PlannedDelivery> = {
  email: ({ recipient, template, variables }) => {
    if (recipient.email === undefined) return skip('email', missing('email', recipient));
    if (template.emailHtml === '' && template.emailText === '') return skip('email', 'empty template');
    const { subject, text } = plain(template, variables);
    const html = render(template.emailHtml, variables, 'html');
    if (isTooLong(subject, html, text)) return tooLong('email');
    const to = { address: recipient.email, name: oneLine(recipient.name ?? '') };
    return { channel: 'email', email: { to, subject, html, text } };
  },
  sms: ({ recipient, template, variables }) => {
    if (recipient.phone === undefined) return skip('sms', missing('phone', recipient));
    if (template.smsBody === '') return skip('sms', 'empty template');
    const body = render(template.smsBody, variables, 'raw');
    if (isTooLong(body)) return tooLong('sms');
    return { channel: 'sms', sms: { to: toDialable(recipient.phone), body } };
  },
  crm: ({ type, recipient: { email, phone, name }, template, variables, webhooks }) => {
    if (!webhooks.includes('crm')) return skip('crm', 'not configured');
    if (template.emailText === '') return skip('crm', 'empty template');
    const { subject, text } = plain(template, variables);
    if (isTooLong(subject, text)) return tooLong('crm');
    const whom = {
      ...(email === undefined ? {} : { email }),
      ...(phone === undefined ? {} : { phone: toDialable(phone) }),
      ...(name === undefined ? {} : { name }),
    };
    return { channel: 'crm', crm: { type, ...whom, subject, text } };
  },
  chat: ({ template, variables, webhooks }) => {
    if (!webhooks.includes('chat')) return skip('chat', 'not configured');
    if (template.emailText === '') return skip('chat', 'empty template');
    const { subject, text } = plain(template, variables);
    const message = escapeChat(`${subject}\n\n${text}`);
    return isTooLong(message) ? tooLong('chat') : { channel: 'chat', chat: { text: message } };
  },
  push: () => skip('push', 'not implemented'),
};

/** Renders the subject, as one line, and the text, both without markup (D70). */
const plain = ({ emailSubject, emailText }: Template, variables: Variables) => ({
  subject: oneLine(render(emailSubject, variables, 'raw')),
  text: render(emailText, variables, 'raw'),
});

const missing = (address: 'email' | 'phone', { unusable = [] }: Recipient): string =>
  `${unusable.includes(address) ? 'unusable' : 'no'} ${address === 'email' ? 'e-mail address' : 'phone number'}`;

const skip = (channel: ChannelName, reason: string) => ({ channel, skip: reason });
const tooLong = (channel: ChannelName) => ({ channel, refuse: tooLongText });
const isTooLong = (...texts: string[]): boolean =>
  texts.reduce((sum, { length }) => sum + length, 0) > maxMessageLength;
export const tooLongText = 'The message is too long';

/** Unescaped, `<!channel>` notifies the whole room, and `<url|text>` hides where a link leads. */
const escapeChat = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One delivery per channel. A message that exceeds the total size with the earlier channels' messages is rejected. */
export function planDeliveries(names: readonly ChannelName[], source: NotificationSource): PlannedDelivery[] {
  const filled = { ...source, variables: withPaymentLink(withIntakeTypeSentence(source.variables)) };
  let planBytes = 0;
  return [...new Set(names)].map((name) => {
    const delivery = channels[name](filled);
    const bytes = jsonBytes(delivery);
    if (planBytes + bytes > maxPlanBytes) return tooLong(name);
    planBytes += bytes;
    return delivery;
  });
}

const jsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** A filled template as it would be sent, for operators; undefined if it is too long to send. */
export function previewOf(template: Template, given: Variables): Template | undefined {
  const variables = withPaymentLink(withIntakeTypeSentence(given));
  const { subject, text } = plain(template, variables);
  const preview = {
    emailSubject: subject,
    emailHtml: render(template.emailHtml, variables, 'html'),
    emailText: text,
    smsBody: render(template.smsBody, variables, 'raw'),
  };
  return isTooLong(...Object.values(preview)) ? undefined : preview;
}

export interface HealthDataFlag {
  channel: Exclude<ConfigurableChannel, 'email'>;
  variables: string[];
}

/** Checks all channels but e-mail. CRM and chat send the e-mail's text, so they count only if they are enabled (D69). */
export function healthDataFlags(
  { emailSubject, emailText, smsBody }: Template,
  enabled: Readonly<Record<WebhookChannel, boolean>>,
): HealthDataFlag[] {
  const plainParts = `${emailSubject}\n${emailText}`;
  const sources = { sms: smsBody, crm: enabled.crm ? plainParts : '', chat: enabled.chat ? plainParts : '' };
  return Object.entries(sources).flatMap(([channel, text]) => {
    const variables = variablesIn(text).filter((name) => healthVariables.has(name));
    return variables.length === 0 ? [] : [{ channel: channel as HealthDataFlag['channel'], variables }];
  });
}
