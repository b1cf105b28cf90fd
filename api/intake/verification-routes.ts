import { randomInt, randomUUID } from 'node:crypto';
import { type Budget, type BudgetKeys, spendBudget, waitForBudget } from '../../db/intake/day-budgets.js';
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
import { networkOf } from '../../platform/http/network.js';
import { sendCode } from '../../starts/intake.js';
import type { App, ServiceContext } from '../context.js';
import { forAnybody } from '../plugins/anonymous.js';
import { limitPerAddress, rejectWhenExceeded } from '../plugins/rate-limit.js';
import { fieldErrors } from '../http-errors.js';
import { checkAnswer, checkRequest, sendAnswer, sendRequest } from './contract.js';
import { requiring } from './page-errors.js';
import { addressKey, proofOf } from './email-proof.js';
import { startCheckout } from './remind-of-checkout.js';

/** Proves that a mailbox is the visitor's (page 2, Verification code). The proof unlocks an intake, and no reading. */
export function verificationRoutes(app: App, context: ServiceContext): void {
  const { RATE_LIMIT_CODES_PER_MINUTE, RATE_LIMIT_CODES_PER_ADDRESS: max } = context.config.service('intake');
  const limitAddress = limitPerAddress(app, RATE_LIMIT_CODES_PER_MINUTE);

  app.post(
    '/verify-email/send',
    {
      config: { access: { none: 'public: the caller is not identified' } },
      ...forAnybody(limitAddress),
      schemaErrorFormatter: requiring(['email'], 'Email is required'),
      schema: {
        tags: ['E-mail verification'],
        summary: 'Send a six-digit code to an address',
        description:
          'Replaces the previous code. Valid for 10 minutes. The number of codes per address is limited, within 10 minutes and a day (429).',
        body: sendRequest,
        response: { 200: sendAnswer, ...fieldErrors(400, 413, 415, 429, 503) },
      },
    },
    async ({ body, ip }, reply) => {
      const { isIssued, remaining, resetsInSeconds } = await issueAndSend(context, body.email, ip);
      const verdict = { max, remaining, ttlInSeconds: resetsInSeconds, isExceeded: !isIssued };
      rejectWhenExceeded(reply, { isAllowed: false, ...verdict });
      return { success: true as const, message: 'Verification code sent' as const };
    },
  );

  app.post(
    '/verify-email/check',
    {
      config: { access: { none: 'public: the caller is not identified' } },
      ...forAnybody(limitAddress),
      schemaErrorFormatter: requiring(['email', 'code'], 'Email and code are required'),
      schema: {
        tags: ['E-mail verification'],
        summary: 'Check a code',
        description:
          'Five wrong attempts lock a code; send a new one then. Twenty in a day lock the address for the caller. The right code returns a proof of the address. It is valid for two hours; send it with the intake and its card.',
        body: checkRequest,
        response: { 200: checkAnswer, ...fieldErrors(400, 413, 415, 429, 503) },
      },
    },
    async ({ body, ip }) => {
      const verdict = await checkCode(context, { ...body, ip });
      return 'error' in verdict
        ? { verified: false as const, ...verdict }
        : { verified: true as const, ...verdict };
    },
  );
}

/** How long a request waits for its mail to be sent (D65). */
const mailTimeoutMs = 5_000;

/** Keyed and per code: who reads the database cannot find a code by hashing all million codes. */
const hashOf = (secret: string, codeId: string, code: string): string =>
  keyedHash(secret, `verification-code:${codeId}:${code}`);

/** Wrong codes of a mailbox in a day (D165). */
const wrongCodes: Budget = { perAddress: 20, inAll: 50, pace: '1 minute' };

/** Counts for a mailbox, with and without the caller's network address (D165). */
function budgetOf(
  { config }: ServiceContext,
  what: 'mails' | 'wrong codes',
  email: string,
  ip: string,
): BudgetKeys {
  const hashed = (...parts: string[]) =>
    keyedHash(config.service('intake').ID_HASH_SECRET, JSON.stringify([what, email.toLowerCase(), ...parts]));
  return { perAddress: hashed(networkOf(ip)), inAll: hashed() };
}

/** Replaces the code of an address and mails the new one, within the limits per address. Known and unknown addresses alike. */
async function issueAndSend(context: ServiceContext, email: string, ip: string): Promise<CodeBudget> {
  const { sql, temporal, config, logger } = context;
  const { ID_HASH_SECRET, RATE_LIMIT_CODES_PER_ADDRESS: max } = config.service('intake');
  const mails = budgetOf(context, 'mails', email, ip);
  const wait = await waitForBudget(sql, mails, { perAddress: 2 * max, inAll: 4 * max, pace: '1 hour' });
  if (wait !== undefined) return { isIssued: false, remaining: 0, resetsInSeconds: wait };
  const id = randomUUID();
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
  const budget = await issueCode(
    sql,
    { id, address: addressKey(context, email), codeHash: hashOf(ID_HASH_SECRET, id, code) },
    max,
  );
  if (budget.isIssued) {
    await spendBudget(sql, mails);
    const sent = await sendCode(temporal, { codeId: id, email, code }, mailTimeoutMs);
    if (sent.state !== 'completed' || sent.result !== 'sent')
      logger.warn({ codeId: id }, 'a verification code was not sent in time; its workflow continues');
  }
  return budget;
}

/**
 * Checks an entered code. Only the right code reveals that it has expired or was used: others must not learn that the
 * address has started an intake (D92).
 * @returns `emailProof` for the right code (D86), else the error
 */
async function checkCode(
  context: ServiceContext,
  { email, code: entered, ip }: { email: string; code: string; ip: string },
): Promise<{ emailProof: string } | { error: CodeRefusal }> {
  const { sql, config } = context;
  const wrong = budgetOf(context, 'wrong codes', email, ip);
  if ((await waitForBudget(sql, wrong, wrongCodes)) !== undefined) return { error: 'rate_limited' };
  const code = await takeAttempt(sql, addressKey(context, email));
  if (typeof code === 'string') return { error: code };
  const { ID_HASH_SECRET } = config.service('intake');
  const isRight = signatureMatches(code.codeHash, hashOf(ID_HASH_SECRET, code.id, entered));
  if (code.state !== 'live') {
    if (!isRight) return { error: 'no_code_sent' };
    await giveAttemptBack(sql, code.id);
    return { error: code.state === 'expired' ? 'code_expired' : 'code_already_used' };
  }
  if (!isRight) {
    await spendBudget(sql, wrong);
    return { error: 'invalid_code' };
  }
  try {
    await startCheckout(context, { email, codeId: code.id, issuedAt: code.issuedAt });
  } catch (error) {
    // The right code can be entered again.
    await giveAttemptBack(sql, code.id);
    throw error;
  }
  const emailProof = await proofOf(context, email);
  return (await useCode(sql, code.id)) ? { emailProof } : { error: 'code_already_used' };
}
