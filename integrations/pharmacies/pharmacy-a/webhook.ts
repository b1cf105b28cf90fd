import { z } from 'zod';
import { holdStatuses, isHoldStatus, reportedStatuses } from '../../../domain/router/order-updates.js';
import { reference, text } from '../../../platform/http/text.js';
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

const body = z
  .object({
    caseId: pharmacyOrder,
    trackingNumber: opt(text(500)),
    rxStatus: optWord(wordOf([...reportedStatuses, ...holdStatuses])),
    hold: opt(
      z.object({
        id: opt(reference),
        code: opt(reference).describe("With `on-hold`: the pharmacy's own word"),
        message: opt(holdMessage),
        until: opt(until),
      }),
    ).describe('With `on-hold` and `hold-released`'),
  })
  .check(({ value: { rxStatus, hold }, issues }) => {
    if (!isHoldStatus(rxStatus)) return;
    if (!hold) issues.push(needed('hold'));
    else if (hold.id === undefined) issues.push(needed('hold', 'id'));
    else if (rxStatus === 'on-hold' && hold.code === undefined) issues.push(needed('hold', 'code'));
  })
  .meta({ id: 'PharmacyAWebhook' });

export const webhook = defineWebhook(body, ({ caseId, trackingNumber, rxStatus, hold }) => ({
  pharmacyOrderId: caseId,
  status: reportedStatus(rxStatus),
  trackingNumber: textOf(trackingNumber),
  carrier: null,
  ...holdOf(words, rxStatus, hold),
}));
