import { z } from 'zod';
import { channelNames } from '../../domain/notification/notification-channels.js';
import { notificationTypes } from '../../domain/notification/notification-types.js';
import { isPhoneNumber, maxPhoneNumberLength } from '../../domain/phone-number.js';
import { nextCursor, pageQuery } from '../cursor.js';
import { idempotencyHeaders } from '../idempotency.js';
import { instant, timestamp } from '../instant.js';
import { emailAddress, filled, text } from '../../platform/http/text.js';
import { idList } from '../timeline.js';

export const sendHeaders = idempotencyHeaders(
  'The same key and body return the same answer, and the notification is sent once (D70)',
);

const notPhoneNumber = 'must be a phone number';
const recipient = z
  .object({
    email: emailAddress.optional(),
    phone: text(maxPhoneNumberLength, notPhoneNumber).refine(isPhoneNumber, notPhoneNumber).optional(),
    name: text(200).optional(),
    unusable: z
      .array(z.enum(['email', 'phone']))
      .max(2)
      .optional()
      .describe('Left out because no message can be sent to it; its channel is skipped'),
  })
  .describe('At least one of email and phone');
const variables = z.record(z.string(), z.unknown()).describe('Values for the placeholders of the templates');

export const sendRequest = z
  .object({
    type: filled(200).describe('A notification type, such as `prescription_approved`'),
    recipient,
    variables,
    channels: z
      .array(z.enum(channelNames))
      .optional()
      .describe('Instead of the channels configured for the type'),
  })
  .meta({ id: 'SendNotification' });

const channelResult = z
  .object({
    channel: z.enum(channelNames),
    status: z.enum(['sent', 'failed', 'skipped']),
    error: z.string().optional().describe('Why it failed'),
    reason: z.string().optional().describe('Why it was skipped'),
    providerMessageId: z.string().optional(),
  })
  .meta({ id: 'ChannelResult' });

const channels = z.array(channelResult);

export const sendAnswer = z.object({ success: z.literal(true), channels, logId: z.uuid() });
const againChannels = z
  .array(z.enum(['email', 'sms']))
  .min(1)
  .max(2);
export const againRequest = z
  .object({
    keys: idList(500).describe("The client's idempotency keys of the messages among which the last one is"),
    recipient: recipient.describe('Who gets it now'),
    channels: againChannels,
  })
  .meta({ id: 'SendAgain' });
export const againAnswer = sendAnswer.extend({ type: z.enum(notificationTypes) });
export const sendFailure = sendAnswer
  .extend({ success: z.literal(false), error: z.string() })
  .meta({ id: 'NotificationFailed' });

/** Any text, so that an unknown type is 404 rather than 400 (D69). */
export const typeParams = z.object({ type: z.string() });

/** Any text is a template (page 2, Template rendering rules). Providers reject an SMS of more than 1,600 characters. */
const parts = {
  emailSubject: text(500),
  emailHtml: text(200_000),
  emailText: text(100_000),
  smsBody: text(1_600),
};
export const templateChanges = z.object(parts).partial().meta({ id: 'TemplateChanges' });

const storedParts = {
  emailSubject: z.string(),
  emailHtml: z.string(),
  emailText: z.string(),
  smsBody: z.string().describe('If empty, no text message is sent'),
};
const provenance = {
  version: z.number().int(),
  createdAt: timestamp,
  createdBy: z.string().nullable().describe('The admin; null for a built-in template'),
};
const type = z.enum(notificationTypes);
const template = z
  .object({
    type,
    ...storedParts,
    requiredVariables: z.array(z.string()).describe('Variables that the templates of this type need'),
    healthVariables: z.array(z.string()).describe('Required variables that contain health data'),
    ...provenance,
  })
  .meta({ id: 'Template' });
export const templateList = z.object({ templates: z.array(template) });
export const oneTemplate = z.object({ template });
export const versionList = z.object({ versions: z.array(z.object({ ...storedParts, ...provenance })) });

export const previewRequest = z.object({ variables }).meta({ id: 'PreviewTemplate' });
export const preview = z
  .object({
    ...storedParts,
    healthData: z
      .array(z.object({ channel: z.enum(['sms', 'crm', 'chat']), variables: z.array(z.string()) }))
      .optional()
      .describe('Enabled channels that would reveal health data; absent if none'),
  })
  .meta({ id: 'TemplatePreview' });
export const testRequest = z
  .object({ recipient, variables: variables.default({}) })
  .meta({ id: 'TestTemplate' });

const switches = { email: z.boolean(), sms: z.boolean(), crm: z.boolean(), chat: z.boolean() };
export const channelSettings = z.object(switches).meta({ id: 'ChannelSettings' });
const channelConfig = z.object({ type, ...switches }).meta({ id: 'ChannelConfig' });
export const channelConfigList = z.object({ channels: z.array(channelConfig) });
export const oneChannelConfig = z.object({ channel: channelConfig });

const logStatus = z.enum(['sent', 'partial', 'failed']);
export const logQuery = pageQuery.extend({
  type: type.optional(),
  recipient: text(254).min(1).optional().describe('An e-mail address, or a phone number as sent'),
  status: logStatus.optional(),
  from: instant.optional(),
  to: instant.optional(),
});
export const logPage = z.object({
  entries: z.array(
    z
      .object({
        id: z.uuid(),
        notificationType: type,
        recipientEmail: z.string().nullable(),
        recipientPhone: z.string().nullable(),
        channels,
        status: logStatus,
        missingVariables: z.array(z.string()).describe('Required variables that were missing or empty'),
        createdAt: timestamp,
      })
      .meta({ id: 'LogEntry' }),
  ),
  nextCursor,
});

export type SendRequest = z.infer<typeof sendRequest>;
