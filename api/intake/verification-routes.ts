import type { App, ServiceContext } from '../context.js';
import { refuseWhenExceeded } from '../plugins/rate-limit.js';
import { invalid, refusal, requiring } from './answers.js';
import { checkCode, issueAndSend } from './codes.js';
import { checkAnswer, checkRequest, sendAnswer, sendRequest } from './verification-contract.js';

/** Proves that a mailbox is the visitor's (page 2, Verification code). It unlocks an intake, and reading nothing. */
export function verificationRoutes(app: App, context: ServiceContext): void {
  const { RATE_LIMIT_CODES_PER_MINUTE, RATE_LIMIT_CODES_PER_ADDRESS: max } = context.config.service('intake');
  const perVisitor = app.createRateLimit({ max: RATE_LIMIT_CODES_PER_MINUTE, timeWindow: '1 minute' });
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) =>
      refuseWhenExceeded(reply, await perVisitor(request)),
    );
    const limited = scope as App;

    limited.post(
      '/verify-email/send',
      {
        schemaErrorFormatter: requiring(['email'], 'Email is required'),
        schema: {
          tags: ['E-mail verification'],
          summary: 'Send a six-digit code to an address',
          description:
            'Takes the place of the code before it. Valid for 10 minutes. An address is sent only so many codes (429).',
          body: sendRequest,
          response: { 200: sendAnswer, 400: invalid, 413: refusal, 415: refusal, 429: refusal, 503: refusal },
        },
      },
      async ({ body }, reply) => {
        const { isIssued, remaining, resetsInSeconds } = await issueAndSend(context, body.email);
        const verdict = { max, remaining, ttlInSeconds: resetsInSeconds, isExceeded: !isIssued };
        refuseWhenExceeded(reply, { isAllowed: false, ...verdict });
        return { success: true as const, message: 'Verification code sent' as const };
      },
    );

    limited.post(
      '/verify-email/check',
      {
        schemaErrorFormatter: requiring(['email', 'code'], 'Email and code are required'),
        schema: {
          tags: ['E-mail verification'],
          summary: 'Check a code',
          description: 'Five wrong attempts lock a code; a new one has to be sent then.',
          body: checkRequest,
          response: {
            200: checkAnswer,
            400: invalid,
            413: refusal,
            415: refusal,
            429: refusal,
            503: refusal,
          },
        },
      },
      async ({ body }) => {
        const error = await checkCode(context, body.email, body.code);
        return error === undefined ? { verified: true as const } : { verified: false as const, error };
      },
    );
  });
}
