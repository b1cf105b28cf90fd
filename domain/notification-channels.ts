import type { Variables } from './notification-types.js';
import { toDialable } from './phone-number.js';
import { oneLine, render } from './template.js';

/** Every channel a sender may ask for; those of a type's configuration are all but `push` (page 2). */
export const channelNames = ['email', 'sms', 'crm', 'chat', 'push'] as const;
export type ChannelName = (typeof channelNames)[number];
export type ConfigurableChannel = Exclude<ChannelName, 'push'>;

export interface Recipient {
  email?: string | undefined;
  phone?: string | undefined;
  name?: string | undefined;
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

/** What one channel has to do: deliver a finished message, or nothing, for a reason. */
export type PlannedDelivery =
  | { channel: 'email'; email: EmailMessage }
  | { channel: 'sms'; sms: SmsMessage }
  | { channel: ChannelName; skip: string }
  | { channel: ChannelName; refuse: string };

interface Source {
  recipient: Recipient;
  template: Template;
  variables: Variables;
}

/** Characters of one message: keeps a run's history within what Temporal stores. */
const maxMessageLength = 500_000;

/** How each channel gets its message from a notification: the one place that knows all channels. */
const channels: Record<ChannelName, (source: Source) => PlannedDelivery> = {
  email: ({ recipient, template, variables }) => {
    if (recipient.email === undefined) return skip('email', 'no e-mail address');
    if (template.emailHtml === '' && template.emailText === '') return skip('email', 'empty template');
    const email = {
      to: { address: recipient.email, name: oneLine(recipient.name ?? '') },
      subject: oneLine(render(template.emailSubject, variables, 'raw')),
      html: render(template.emailHtml, variables, 'html'),
      text: render(template.emailText, variables, 'raw'),
    };
    const length = email.subject.length + email.html.length + email.text.length;
    return length > maxMessageLength ? tooLong('email') : { channel: 'email', email };
  },
  sms: ({ recipient, template, variables }) => {
    if (recipient.phone === undefined) return skip('sms', 'no phone number');
    if (template.smsBody === '') return skip('sms', 'empty template');
    const sms = { to: toDialable(recipient.phone), body: render(template.smsBody, variables, 'raw') };
    return sms.body.length > maxMessageLength ? tooLong('sms') : { channel: 'sms', sms };
  },
  crm: () => skip('crm', 'not implemented'),
  chat: () => skip('chat', 'not implemented'),
  push: () => skip('push', 'not implemented'),
};

const skip = (channel: ChannelName, reason: string) => ({ channel, skip: reason });
const tooLong = (channel: ChannelName) => ({ channel, refuse: 'The message is too long' });

/** The deliveries of a notification, one per channel, each named once. */
export const planDeliveries = (names: readonly ChannelName[], source: Source): PlannedDelivery[] =>
  [...new Set(names)].map((name) => channels[name](source));
