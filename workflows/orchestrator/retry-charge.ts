import { CancellationScope, setCurrentDetails } from '@temporalio/workflow';
import type { ChargeInput } from '../../activities/orchestrator/open-charge.js';
import { chargeSavedCard } from './charge-saved-card.js';
import { failureOf } from '../proxies.js';

/** Retries a failed charge on an operator's request (D85). A decline is recorded in the payment and is no failed run. */
export async function retryCharge(task: Omit<ChargeInput, 'coupon'>): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    try {
      await chargeSavedCard('Charge saved card', task);
      setCurrentDetails('**Charged.**');
    } catch (error) {
      setCurrentDetails(`**Not charged:** ${failureOf(error).message}`);
    }
  });
}
