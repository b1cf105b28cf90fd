import { CancellationScope, setCurrentDetails } from '@temporalio/workflow';
import type { ChargeInput } from '../../activities/orchestrator/open-charge.js';
import { chargeSavedCard } from './charge-saved-card.js';
import { failureOf } from '../proxies.js';

/**
 * Charges a task again after its charge failed, on an operator's word (D85). Whatever comes of it stands in the
 * payment state; a decline is an answer, not a failed run.
 */
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
