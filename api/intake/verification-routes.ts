import type { App, ServiceContext } from '../context.js';
import { limitPerAddress, rejectWhenExceeded } from '../plugins/rate-limit.js';
import { fieldErrors } from '../http-errors.js';
import { checkAnswer, checkRequest, sendAnswer, sendRequest } from './contract.js';
import { requiring } from './page-errors.js';
import { checkCode, issueAndSend } from './verify-email.js';

/** Proves that a mailbox is the visitor's (page 2, Verification code). The proof unlocks an intake, and no reading. */
export function verificationRoutes(app: App, context: ServiceContext): void {
  const { RATE_LIMIT_CODES_PER_MINUTE, RATE_LIMIT_CODES_PER_ADDRESS: max } = context.config.service('intake');
  const limitAddress = limitPerAddress(app, RATE_LIMIT_CODES_PER_MINUTE);
  app.register(async (scope) => {
    scope.addHook('onRequest', limitAddress);
    const limited = scope as App;

    limited.post(
      '/verify-email/send',
      {
        config: { access: { none: 'public: the caller is not identified' } },
        schemaErrorFormatter: requiring(['email'], 'Email is required'),
        schema: {
          tags: ['E-mail verification'],
          summary: 'Send a six-digit code to an address',
          description:
            'Replaces the previous code. Valid for 10 minutes. The number of codes per address is limited (429).',
          body: sendRequest,
          response: { 200: sendAnswer, ...fieldErrors(400, 413, 415, 429, 503) },
        },
      },
      async ({ body }, reply) => {
        const { isIssued, remaining, resetsInSeconds } = await issueAndSend(context, body.email);
        const verdict = { max, remaining, ttlInSeconds: resetsInSeconds, isExceeded: !isIssued };
        rejectWhenExceeded(reply, { isAllowed: false, ...verdict });
        return { success: true as const, message: 'Verification code sent' as const };
      },
    );

    limited.post(
      '/verify-email/check',
      {
        config: { access: { none: 'public: the caller is not identified' } },
        schemaErrorFormatter: requiring(['email', 'code'], 'Email and code are required'),
        schema: {
          tags: ['E-mail verification'],
          summary: 'Check a code',
          description:
            'Five wrong attempts lock a code; send a new one then. The right code returns a proof of the address. It is valid for two hours; send it with the intake and its card.',
          body: checkRequest,
          response: { 200: checkAnswer, ...fieldErrors(400, 413, 415, 429, 503) },
        },
      },
      async ({ body }) => {
        const verdict = await checkCode(context, body.email, body.code);
        return 'error' in verdict
          ? { verified: false as const, ...verdict }
          : { verified: true as const, ...verdict };
      },
    );
  });
}
