import { randomInt, randomUUID } from 'node:crypto';
import {
  type CodeBudget,
  giveAttemptBack,
  issueCode,
  takeAttempt,
  useCode,
} from '../../db/intake/verification-codes.js';
import { codeDigits, type CodeRefusal } from '../../domain/intake/intake.js';
import { keyedHash } from '../../platform/crypto/ids.js';
import { signatureMatches } from '../../platform/crypto/signature.js';
import { sendCode } from '../../starts/intake.js';
import type { ServiceContext } from '../context.js';
import { addressKey, proofOf } from './email-proof.js';
import { startCheckout } from './remind-of-checkout.js';

/** How long a request waits for its mail to be handed over (D65). */
const handOverMs = 5_000;

/** Only under a key that stands nowhere in the database, and per code: the million codes there are cannot be tried. */
const hashOf = (secret: string, codeId: string, code: string): string =>
  keyedHash(secret, `verification-code:${codeId}:${code}`);

/**
 * Makes a new code the only one of an address, and sends it there, if the address has not been sent too many already.
 * Every address is treated alike.
 */
export async function issueAndSend(context: ServiceContext, email: string): Promise<CodeBudget> {
  const { sql, temporal, config, logger } = context;
  const { ID_HASH_SECRET, RATE_LIMIT_CODES_PER_ADDRESS } = config.service('intake');
  const id = randomUUID();
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
  const budget = await issueCode(
    sql,
    { id, address: addressKey(context, email), codeHash: hashOf(ID_HASH_SECRET, id, code) },
    RATE_LIMIT_CODES_PER_ADDRESS,
  );
  if (budget.isIssued) {
    const sent = await sendCode(temporal, { codeId: id, email, code }, handOverMs);
    if (sent.state !== 'completed' || sent.result !== 'sent')
      logger.warn({ codeId: id }, 'a code was not handed over in time; it is sent on');
  }
  return budget;
}

/**
 * Judges a code that somebody entered. That there was one, which has expired or was used, is told only to who has it:
 * that somebody once began an intake is nobody else's business (D92).
 * @returns `emailProof` for the right one (D86), else why it is refused
 */
export async function checkCode(
  context: ServiceContext,
  email: string,
  entered: string,
): Promise<{ emailProof: string } | { error: CodeRefusal }> {
  const { sql, config } = context;
  const code = await takeAttempt(sql, addressKey(context, email));
  if (typeof code === 'string') return { error: code };
  const { ID_HASH_SECRET } = config.service('intake');
  const isRight = signatureMatches(code.codeHash, hashOf(ID_HASH_SECRET, code.id, entered));
  if (code.state !== 'live') {
    if (!isRight) return { error: 'no_code_sent' };
    await giveAttemptBack(sql, code.id);
    return { error: code.state === 'expired' ? 'code_expired' : 'code_already_used' };
  }
  if (!isRight) return { error: 'invalid_code' };
  try {
    await startCheckout(context, { email, codeId: code.id, issuedAt: code.issuedAt });
  } catch (error) {
    // The code was right, and can be entered again.
    await giveAttemptBack(sql, code.id);
    throw error;
  }
  const emailProof = await proofOf(context, email);
  return (await useCode(sql, code.id)) ? { emailProof } : { error: 'code_already_used' };
}
