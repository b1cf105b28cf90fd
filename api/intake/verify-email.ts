import { randomInt, randomUUID } from 'node:crypto';
import {
  type CodeBudget,
  giveAttemptBack,
  issueCode,
  takeAttempt,
  useCode,
} from '../../db/intake/verification-codes.js';
import { codeDigits, type CodeRefusal } from '../../domain/intake/verification.js';
import { keyedHash } from '../../platform/crypto/ids.js';
import { signatureMatches } from '../../platform/crypto/signature.js';
import { sendCode } from '../../starts/intake.js';
import type { ServiceContext } from '../context.js';
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
export async function issueAndSend(
  { sql, temporal, config, logger }: ServiceContext,
  email: string,
): Promise<CodeBudget> {
  const { ID_HASH_SECRET, RATE_LIMIT_CODES_PER_ADDRESS } = config.service('intake');
  const id = randomUUID();
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
  const budget = await issueCode(
    sql,
    { id, email, codeHash: hashOf(ID_HASH_SECRET, id, code) },
    RATE_LIMIT_CODES_PER_ADDRESS,
  );
  if (budget.isIssued) {
    const sent = await sendCode(temporal, { codeId: id, email, code }, handOverMs);
    if (sent.state !== 'completed' || sent.result !== 'sent')
      logger.warn({ codeId: id }, 'a code was not handed over in time; it is sent on');
  }
  return budget;
}

/** Judges a code that somebody entered. @returns why it is refused; undefined for the right one */
export async function checkCode(
  context: ServiceContext,
  email: string,
  entered: string,
): Promise<CodeRefusal | undefined> {
  const { sql, config } = context;
  const code = await takeAttempt(sql, email);
  if (typeof code === 'string') return code;
  const { ID_HASH_SECRET } = config.service('intake');
  if (!signatureMatches(code.codeHash, hashOf(ID_HASH_SECRET, code.id, entered))) return 'invalid_code';
  try {
    await startCheckout(context, { email, codeId: code.id, issuedAt: code.issuedAt });
  } catch (error) {
    // The code was right, and can be entered again.
    await giveAttemptBack(sql, code.id);
    throw error;
  }
  return (await useCode(sql, code.id)) ? undefined : 'code_already_used';
}
