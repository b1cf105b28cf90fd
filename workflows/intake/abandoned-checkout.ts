import { condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { IntakeMailActivities } from '../../activities/intake/mails.js';
import { submittedSignal } from '../messages.js';
import { ordinary } from '../proxies.js';
import { untilDelivered } from '../until-delivered.js';

// Nobody waits for it: asked until there is a verdict, and the activity gives up after a day.
const mails = ordinary<IntakeMailActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '5 s', maximumInterval: '5 minutes' },
});

/**
 * Follows an intake from the verified address: whoever has not submitted it after 30 minutes is reminded once (D66).
 * @param codeId of the code that verified the address: the reminder's own key
 * @param since ISO 8601: when that code was issued, since it may be entered only after the submit
 */
export async function abandonedCheckout({
  email,
  codeId,
  since,
}: {
  email: string;
  codeId: string;
  since: string;
}): Promise<'submitted' | 'reminded' | 'obsolete'> {
  let submitted = false;
  setHandler(submittedSignal, () => void (submitted = true));
  setCurrentDetails('The address is verified; the person has 30 minutes to submit the intake.');
  if (await condition(() => submitted, '30 minutes')) {
    setCurrentDetails('**Submitted.** Nobody is reminded.');
    return 'submitted';
  }
  const outcome = await untilDelivered((attempt) =>
    mails(`Remind of the intake, attempt ${attempt}`).remindOfCheckout({ email, codeId, since, attempt }),
  );
  setCurrentDetails(
    outcome === 'sent' ? '**Reminded.**' : '**Nobody was reminded:** it was submitted, or a day had passed.',
  );
  return outcome === 'sent' ? 'reminded' : 'obsolete';
}
