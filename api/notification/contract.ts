import { z } from 'zod';
import { channelNames } from '../../domain/notification-channels.js';
import { isPhoneNumber } from '../../domain/phone-number.js';

/** 1-200 printable characters (D6). */
export const sendHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1-200 printable characters')
    .optional()
    .describe('The same key and body again: the same answer, and nothing is sent twice (D70)'),
});

export const sendRequest = z
  .object({
    type: z.string().min(1).describe('A notification type, such as `prescription_approved`'),
    recipient: z
      .object({
        email: z.email().max(254).optional(),
        phone: z.string().refine(isPhoneNumber, 'must be a phone number').optional(),
        name: z.string().max(200).optional(),
      })
      .describe('At least one of email and phone'),
    variables: z.record(z.string(), z.unknown()).describe('Values for the placeholders of the templates'),
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
export const sendFailure = z.object({
  success: z.literal(false),
  channels,
  logId: z.uuid(),
  error: z.string(),
});

export const refusal = z.object({ error: z.string() });
export const invalid = z.object({
  error: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

export type SendRequest = z.infer<typeof sendRequest>;
