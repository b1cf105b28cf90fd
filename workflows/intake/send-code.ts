import { setCurrentDetails } from '@temporalio/workflow';
import type { IntakeMailActivities } from '../../activities/intake/mails.js';
import { ordinary } from '../proxies.js';
import { untilDelivered } from '../until-delivered.js';

// The notification service answers within 13 s. The activity stops when the code has expired.
const mails = ordinary<IntakeMailActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '15 s' },
});

/**
 * Sends a verification code, with retries for as long as the code is valid (D65).
 * @returns `obsolete` if the code was replaced, used or expired before
 */
export async function sendCode(code: {
  codeId: string;
  email: string;
  code: string;
}): Promise<'sent' | 'obsolete'> {
  const outcome = await untilDelivered((attempt) =>
    mails(`Send the code, attempt ${attempt}`).sendVerificationCode({ ...code, attempt }),
  );
  setCurrentDetails(
    outcome === 'sent'
      ? '**Sent.**'
      : '**Not sent:** the code was replaced, used or expired. The person can request a new one.',
  );
  return outcome;
}
