import { z } from 'zod';
import {
  holdStatuses,
  isHoldStatus,
  type ReportedStatus,
  reportedStatuses,
} from '../../../domain/router/order-updates.js';
import { reference, text } from '../../../platform/http/text.js';
import { reportedStatus, textOf } from '../adapter.js';
import { defineWebhook, holdMessage, holdOf, needed, pharmacyOrder, until } from '../webhooks.js';
import { words } from './words.js';

/** Only this pharmacy has `in-transit`. */
export const statusOf = (said: string | undefined): ReportedStatus | null =>
  said === 'in-transit' ? 'shipped' : reportedStatus(said);

const body = z
  .object({
    tracking_id: pharmacyOrder,
    trackingnumber: text(500).optional(),
    rxstatus: z
      .enum([...reportedStatuses, 'in-transit', ...holdStatuses])
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

export const webhook = defineWebhook(body, (news) => {
  const { holdid: id, holdcode: code, holdmessage: message, holduntil } = news;
  const hold = id === undefined ? undefined : { id, code, message, until: holduntil };
  return {
    pharmacyOrderId: news.tracking_id,
    status: statusOf(news.rxstatus),
    trackingNumber: textOf(news.trackingnumber),
    carrier: textOf(news.shippingcarrier),
    ...holdOf(words, news.rxstatus, hold),
  };
});
