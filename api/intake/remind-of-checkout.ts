import { keyedHash } from '../../platform/crypto/ids.js';
import * as starts from '../../starts/intake.js';
import type { ServiceContext } from '../context.js';

type Intake = Pick<ServiceContext, 'temporal' | 'config' | 'logger'>;

const cancelWithinMs = 1_000;

const keyOf = ({ config }: Intake, email: string): string =>
  keyedHash(config.service('intake').ID_HASH_SECRET, email.toLowerCase());

/** Starts the reminder, which the patient gets unless the intake is submitted within 30 minutes (D66). */
export const startCheckout = (
  intake: Intake,
  { email, codeId, issuedAt }: { email: string; codeId: string; issuedAt: Date },
): Promise<void> =>
  starts.startCheckout(intake.temporal, keyOf(intake, email), {
    email,
    codeId,
    since: issuedAt.toISOString(),
  });

/** Cancels the reminder, best effort within a second. If the signal is lost, the reminder finds the submission itself. */
export async function cancelCheckout(intake: Intake, email: string): Promise<void> {
  const { temporal, logger } = intake;
  await starts.endCheckout(temporal, keyOf(intake, email), cancelWithinMs).catch((err: unknown) => {
    logger.warn({ err }, 'could not cancel a checkout reminder');
  });
}
