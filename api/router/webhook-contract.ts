import { z } from 'zod';
import { pharmacySystems } from '../../domain/pharmacies.js';
import { nextCursor, pageQuery } from '../cursor.js';

export const webhooksQuery = pageQuery.extend({
  pharmacy: z.enum(pharmacySystems).optional().describe('Orders of pharmacy_c come by pharmacy_a'),
  accepted: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
});
export const webhookList = z.object({
  webhooks: z.array(
    z
      .object({
        id: z.string(),
        pharmacy: z.enum(pharmacySystems),
        receivedAt: z.date(),
        accepted: z.boolean(),
        submissionId: z.uuid().nullable().describe('Null for a rejected webhook'),
        status: z.number().int().describe('The status that the pharmacy received'),
        error: z.string().nullable().describe('Why it was rejected'),
        body: z.string().describe('As received; empty if it was too large to be read'),
        bodyEncoding: z.literal('base64').nullable().describe('Set if the body is not text'),
      })
      .meta({ id: 'PharmacyWebhook' }),
  ),
  nextCursor,
});
