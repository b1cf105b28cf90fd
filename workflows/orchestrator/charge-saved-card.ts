import { uuid4 } from '@temporalio/workflow';
import type { ChargeTask, PaymentActivities } from '../../activities/orchestrator/payments.js';
import { failureTypes } from '../../domain/failures.js';
import { failureOf, threeTries } from '../proxies.js';
import { startSettlePayment } from './settle-payment.js';

/** Fits a whole call of 4 s (D34): a processor often needs more than 2 s for a card. */
const firstTryMs = 4_500;

const processor = threeTries<PaymentActivities>(
  { startToCloseTimeout: '9 s', retry: { initialInterval: '500 ms', maximumInterval: '10 s' } },
  firstTryMs,
);

/**
 * Charges the saved card once (D37). A run of its own reconciles an unanswered charge.
 * @throws if nothing was charged, or the outcome is unknown
 */
export async function chargeSavedCard(
  title: string,
  task: Omit<ChargeTask, 'callId' | 'isLastTry'>,
): Promise<void> {
  const callId = uuid4();
  try {
    await processor(title, (activities, isLastTry) =>
      activities.chargeSavedCard({ ...task, callId, isLastTry }),
    );
  } catch (error) {
    const { type, details } = failureOf(error);
    if (type === failureTypes.unavailable)
      await startSettlePayment(details[0] as Parameters<typeof startSettlePayment>[0]);
    throw error;
  }
}
