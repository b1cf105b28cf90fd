import { withIntakeTypeSentence } from './intake-type.js';
import { withPaymentLink } from './payment-link.js';
import { healthVariables, type NotificationType, type Variables } from './notification-types.js';
import { toDialable } from '../phone-number.js';
import { oneLine, render, variablesIn } from './template.js';

/** Every channel a sender may ask for; those of a type's configuration are all but `push` (page 2, Channels). */
export const channelNames = ['email', 'sms', 'crm', 'chat', 'push'] as const;
export type ChannelName = (typeof channelNames)[number];
export type ConfigurableChannel = Exclude<ChannelName, 'push'>;

export interface Recipient {
  email?: string | undefined;
  phone?: string | undefined;
  name?: string | undefined;
  /** What the sender knows of and left out because no message can be sent to it (D150). */
  unusable?: ('email' | 'phone')[] | undefined;
}

/** The four parts of a template; an empty one is a message that is not sent. */
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

/** The webhook posts this to its one room; `text` is in the markup of such webhooks. */
export interface ChatMessage {
  text: string;
}

/** The CRM is told this about somebody it knows by the address. */
export interface CrmMessage {
  type: NotificationType;
  email?: string;
  phone?: string;
  name?: string;
  subject: string;
  text: string;
}

/** One channel has to deliver a finished message, or nothing, for a reason. */
export type PlannedDelivery =
  | { channel: 'email'; email: EmailMessage }
  | { channel: 'sms'; sms: SmsMessage }
  | { channel: 'chat'; chat: ChatMessage }
  | { channel: 'crm'; crm: CrmMessage }
  | { channel: ChannelName; skip: string }
  | { channel: ChannelName; refuse: string };

/** The channels that a deployment may do without. */
export type WebhookChannel = 'chat' | 'crm';

export interface NotificationSource {
  type: NotificationType;
  recipient: Recipient;
  template: Template;
  variables: Variables;
  /** The webhooks that have an address in the configuration. */
  webhooks: readonly WebhookChannel[];
}

/** Characters of one message: far beyond any, and little enough for every provider's connection. */
const maxMessageLength = 500_000;

/** Bytes of all channels' messages together, as JSON: one result, of which Temporal takes 2 MB. */
const maxPlanBytes = 1_500_000;

/** Makes each channel's message out of a notification: the one place that knows all channels. */
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

/** Renders what a notification says without markup, its subject in one line (D70). */
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

/** `<!channel>` and the like would be commands to the room, `<url|text>` a link that hides where it leads. */
const escapeChat = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * The deliveries of a notification, one per channel, each named once. A message that does not fit beside those of the
 * channels before it is refused.
 */
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

/** A template filled in for an operator to look at, as it would be sent; undefined when it is too long to be. */
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

/** A channel whose message would tell health data to somebody who should not have them, and by which variables. */
export interface HealthDataFlag {
  channel: Exclude<ConfigurableChannel, 'email'>;
  variables: string[];
}

/**
 * The channels but e-mail whose message would say something about a person's health. CRM and chat get the e-mail's text,
 * and so are looked at only where they are enabled for the type (D69).
 */
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
