import { setCurrentDetails } from '@temporalio/workflow';
import type { IntakeMailActivities } from '../../activities/intake/mails.js';
import { ordinary } from '../proxies.js';
import { untilDelivered } from '../until-delivered.js';

// Asked until the notification service gives a verdict, which it does within 13 s; the activity itself stops when the
// code can be entered no more.
const mails = ordinary<IntakeMailActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '15 s' },
});

/**
 * Sends a verification code, and goes on trying for as long as the code can be entered (D65).
 * @returns whether it was sent; `obsolete` when it was replaced, used or expired before that
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
      : '**Not sent:** by then the code was replaced, used or expired. The person asks for a new one.',
  );
  return outcome;
}
