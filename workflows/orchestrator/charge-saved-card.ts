import { uuid4 } from '@temporalio/workflow';
import type { ChargeTask, PaymentActivities } from '../../activities/orchestrator/payments.js';
import { failureTypes } from '../../domain/failures.js';
import { failureOf, localFirst } from '../proxies.js';
import { startSettlePayment } from './settle-payment.js';

// Three tries of the processor (D34), of which the first is local; a database that is away is waited for.
const processor = localFirst<PaymentActivities>({
  startToCloseTimeout: '9 s',
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

/**
 * Charges the saved card once (D37). A charge that is not answered is followed up by a run of its own.
 * @throws when nothing was charged, or nobody knows yet
 */
export const chargeSavedCard = (title: string, task: Omit<ChargeTask, 'callId'>): Promise<void> =>
  processor(title)
    .chargeSavedCard({ ...task, callId: uuid4() })
    .catch(async (error: unknown) => {
      const { type, details } = failureOf(error);
      if (type === failureTypes.unavailable)
        await startSettlePayment(details[0] as Parameters<typeof startSettlePayment>[0]);
      throw error;
    });
