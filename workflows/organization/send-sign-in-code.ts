import { setCurrentDetails } from '@temporalio/workflow';
import type { SignInActivities, SignInCode } from '../../activities/organization/sign-in.js';
import { ordinary } from '../proxies.js';
import { untilDelivered } from '../until-delivered.js';

// The notification service answers within 13 s. The activity stops when the code has expired.
const mails = ordinary<SignInActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '15 s' },
});

/**
 * Mails a sign-in code, with retries for as long as the code is valid. It runs for every address, so that the API does
 * not reveal which ones belong to admins.
 * @returns `obsolete` if the code was replaced, used or expired before, or the address is no admin's
 */
export async function sendSignInCode(signIn: SignInCode): Promise<'sent' | 'obsolete'> {
  const outcome = await untilDelivered((attempt) =>
    mails(`Mail the code, attempt ${attempt}`).mailSignInCode({ ...signIn, attempt }),
  );
  setCurrentDetails(
    outcome === 'sent'
      ? '**Sent.**'
      : "**Not sent:** the address is no admin's, or the code was replaced, used or expired. An admin can request a new one.",
  );
  return outcome;
}
