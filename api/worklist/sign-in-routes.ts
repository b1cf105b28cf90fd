import { z } from 'zod';
import { handOnSignIn } from '../../integrations/organization/desk-sign-in.js';
import { errorHeaders, isErrorCode } from '../error-codes.js';
import type { App, ServiceContext } from '../context.js';
import { forAnybody } from '../plugins/anonymous.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { codedErrors, unavailable } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';

/** The organization service validates it. */
const anything = z.record(z.string(), z.unknown());
const steps = {
  send: 'Mail a sign-in code',
  check: 'Sign in with a code',
} as const;

/** Sign-in at the desk, whose page can only call its own origin (D110). The organization service answers. */
export function signInRoutes(admin: App, { config }: ServiceContext): void {
  const settings = config.service('worklist');
  const organization = {
    party: 'Organization service',
    baseUrl: settings.ORGANIZATION_URL,
    keyId: settings.WORKLIST_API_KEY,
    secret: settings.WORKLIST_API_SECRET,
  };
  const limitAddress = limitPerAddress(admin, settings.RATE_LIMIT_CODES_PER_MINUTE);
  for (const step of ['send', 'check'] as const)
    admin.post(
      `/v1/auth/otp/${step}`,
      {
        config: {
          policy: { allows: 'anyone' },
          access: { none: 'forwarded to the organization service, which records it' },
        },
        ...forAnybody(limitAddress),
        schema: {
          tags: ['Signing in'],
          summary: steps[step],
          description: 'Forwarded to the organization service, which answers.',
          body: anything,
          response: { 200: anything, ...codedErrors(400, 401, 413, 415, 429, 500, 503) },
        },
      },
      async (request, reply) => {
        const { email, code } = request.body;
        const caller = { ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, 500) ?? null };
        const answer = await handOnSignIn(organization, step, { email, code, caller }).catch(
          outboundAs(() => unavailable()),
        );
        const { 'retry-after': retryAfter, 'error-code': word } = answer.headers;
        if (isErrorCode(word)) void reply.headers(errorHeaders(answer.status, word));
        if (typeof retryAfter === 'string') void reply.header('retry-after', retryAfter);
        return reply
          .code(answer.status as 200)
          .type('application/json')
          .send(JSON.parse(answer.body) as Record<string, unknown>);
      },
    );
}
