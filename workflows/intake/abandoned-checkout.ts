import { condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { IntakeMailActivities } from '../../activities/intake/mails.js';
import { submittedSignal } from '../messages.js';
import { ordinary } from '../proxies.js';
import { untilDelivered } from '../until-delivered.js';

// No caller waits, and the activity gives up after a day.
const mails = ordinary<IntakeMailActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '5 s', maximumInterval: '5 minutes' },
});

/**
 * Reminds a person once who has not submitted the intake 30 minutes after verifying the address (D66).
 * @param codeId of the verification code, the reminder's idempotency key
 * @param since ISO 8601 time of that code, which may be entered only after the submit
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
  setCurrentDetails('Waiting for up to 30 minutes for the intake.');
  if (await condition(() => submitted, '30 minutes')) {
    setCurrentDetails('**Submitted.** No reminder is needed.');
    return 'submitted';
  }
  const outcome = await untilDelivered((attempt) =>
    mails(`Remind of the intake, attempt ${attempt}`).remindOfCheckout({ email, codeId, since, attempt }),
  );
  setCurrentDetails(
    outcome === 'sent' ? '**Reminded.**' : '**Not reminded:** the intake was submitted, or a day had passed.',
  );
  return outcome === 'sent' ? 'reminded' : 'obsolete';
}
