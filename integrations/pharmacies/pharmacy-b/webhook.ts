import { z } from 'zod';
import {
  holdStatuses,
  isHoldStatus,
  type ReportedStatus,
  reportedStatuses,
} from '../../../domain/router/order-updates.js';
import { reference, text } from '../../../platform/http/text.js';
import { isSameWord } from '../../../domain/router/pharmacy-words.js';
import { reportedStatus, textOf } from '../adapter.js';
import {
  defineWebhook,
  holdMessage,
  holdOf,
  needed,
  opt,
  optWord,
  pharmacyOrder,
  until,
  wordOf,
} from '../webhooks.js';
import { words } from './words.js';

/** Only this pharmacy has `in-transit`. */
export const statusOf = (said: string | undefined): ReportedStatus | null =>
  said !== undefined && isSameWord(said, 'in-transit') ? 'shipped' : reportedStatus(said);

const body = z
  .object({
    tracking_id: pharmacyOrder,
    trackingnumber: opt(text(500)),
    rxstatus: optWord(wordOf([...reportedStatuses, 'in-transit', ...holdStatuses])).describe(
      '`in-transit` means `shipped`',
    ),
    shippingcarrier: opt(text(500)),
    holdid: opt(reference).describe('With `on-hold` and `hold-released`'),
    holdcode: opt(reference).describe("With `on-hold`: the pharmacy's own word"),
    holdmessage: opt(holdMessage),
    holduntil: opt(until),
  })
  .check(({ value: { rxstatus, holdid, holdcode }, issues }) => {
    if (!isHoldStatus(rxstatus)) return;
    if (holdid === undefined) issues.push(needed('holdid'));
    if (rxstatus === 'on-hold' && holdcode === undefined) issues.push(needed('holdcode'));
  })
  .meta({ id: 'PharmacyBWebhook' });

export const webhook = defineWebhook(body, (news) => {
  const { holdid: id, holdcode: code, holdmessage: message, holduntil } = news;
  return {
    pharmacyOrderId: news.tracking_id,
    status: statusOf(news.rxstatus),
    trackingNumber: textOf(news.trackingnumber),
    carrier: textOf(news.shippingcarrier),
    ...holdOf(words, news.rxstatus, { id, code, message, until: holduntil }),
  };
});
