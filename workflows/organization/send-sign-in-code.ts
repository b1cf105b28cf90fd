import { setCurrentDetails } from '@temporalio/workflow';
import type { SignInActivities, SignInCode } from '../../activities/organization/sign-in.js';
import { ordinary } from '../proxies.js';
import { untilDelivered } from '../until-delivered.js';

// Asked until the notification service gives a verdict, which it does within 13 s; the activity itself stops when the
// code can be entered no more.
const mails = ordinary<SignInActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { initialInterval: '1 s', maximumInterval: '15 s' },
});

/**
 * Mails a code for signing in, and goes on trying for as long as the code can be entered. Started for every address,
 * so that neither the answer nor its time tells which ones are admins'; whether one is, is looked at here.
 * @returns whether it was sent; `obsolete` when it was replaced, used or expired before that, or is nobody's
 */
export async function sendSignInCode(signIn: SignInCode): Promise<'sent' | 'obsolete'> {
  const outcome = await untilDelivered((attempt) =>
    mails(`Mail the code, attempt ${attempt}`).mailSignInCode({ ...signIn, attempt }),
  );
  setCurrentDetails(
    outcome === 'sent'
      ? '**Sent.**'
      : "**Not sent:** the address is no admin's, or by then the code was replaced, used or expired. An admin asks for another.",
  );
  return outcome;
}
