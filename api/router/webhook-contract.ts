import { z } from 'zod';
import {
  holdStatuses,
  isHoldStatus,
  pharmacyBStatuses,
  reportedStatuses,
} from '../../domain/router/order-updates.js';
import { reference, text } from '../text.js';

const iso = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);
/** A day or a time. */
const until = text(100).check(({ value, issues }) => {
  if (!iso.safeParse(value).success)
    issues.push({ code: 'custom', message: 'must be ISO 8601', input: value });
});
const holdMessage = text(2_000);
const needed = (...path: string[]) => ({
  code: 'custom' as const,
  path,
  input: undefined,
  message: 'is needed with this status',
});

const pharmacyOrder = text(500).min(1).describe("The submission's pharmacyOrderId");
export const pharmacyAWebhook = z
  .object({
    caseId: pharmacyOrder,
    trackingNumber: text(500).optional(),
    rxStatus: z.enum([...reportedStatuses, ...holdStatuses]).optional(),
    hold: z
      .object({
        id: reference,
        code: reference.optional().describe("With `on-hold`: the pharmacy's own word"),
        message: holdMessage.optional(),
        until: until.optional(),
      })
      .optional()
      .describe('With `on-hold` and `hold-released`'),
  })
  .check(({ value: { rxStatus, hold }, issues }) => {
    if (!isHoldStatus(rxStatus)) return;
    if (!hold) issues.push(needed('hold'));
    else if (rxStatus === 'on-hold' && hold.code === undefined) issues.push(needed('hold', 'code'));
  })
  .meta({ id: 'PharmacyAWebhook' });
export const pharmacyBWebhook = z
  .object({
    tracking_id: pharmacyOrder,
    trackingnumber: text(500).optional(),
    rxstatus: z
      .enum([...pharmacyBStatuses, ...holdStatuses])
      .optional()
      .describe('`in-transit` means `shipped`'),
    shippingcarrier: text(500).optional(),
    holdid: reference.optional().describe('With `on-hold` and `hold-released`'),
    holdcode: reference.optional().describe("With `on-hold`: the pharmacy's own word"),
    holdmessage: holdMessage.optional(),
    holduntil: until.optional(),
  })
  .check(({ value: { rxstatus, holdid, holdcode }, issues }) => {
    if (!isHoldStatus(rxstatus)) return;
    if (holdid === undefined) issues.push(needed('holdid'));
    if (rxstatus === 'on-hold' && holdcode === undefined) issues.push(needed('holdcode'));
  })
  .meta({ id: 'PharmacyBWebhook' });
export const received = z.object({ ok: z.literal(true) });
