import { setCurrentDetails } from '@temporalio/workflow';
import type { SignInActivities, SignInCode } from '../activities/organization/sign-in.js';
import { ordinary } from './proxies.js';

// The notification service tries for 10 s by itself. Ten tries up to 30 s apart stay within the code's ten minutes.
const mails = ordinary<SignInActivities>({
  startToCloseTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s', maximumAttempts: 10 },
});

/**
 * Mails a code for signing in. Started for every address, so that neither the answer nor its time tells which ones
 * are admins'; whether one is, is looked at here.
 */
export async function sendSignInCode(signIn: SignInCode): Promise<void> {
  setCurrentDetails('If this fails, the notification service is away; the person asks for another code.');
  await mails('Mail the code').mailSignInCode(signIn);
}
