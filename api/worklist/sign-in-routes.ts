import { z } from 'zod';
import type { OrganizationClient } from '../../integrations/organization/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { App, ServiceContext } from '../context.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { codedErrors, unavailable } from '../http-errors.js';

/** The organization service judges it. */
const anything = z.record(z.string(), z.unknown());
const steps = {
  send: 'Have a code for signing in mailed',
  check: 'Sign in with a code',
} as const;

/** Signing in at the desk, which speaks to its own origin only (D110): handed on to the organization service. */
export function signInRoutes(admin: App, { config }: ServiceContext, people: OrganizationClient): void {
  const refuseBeyondLimit = limitPerAddress(admin, config.service('worklist').RATE_LIMIT_CODES_PER_MINUTE);
  for (const step of ['send', 'check'] as const)
    admin.post(
      `/v1/auth/otp/${step}`,
      {
        config: {
          policy: { allows: 'anyone' },
          access: { none: 'handed on to the organization service, which notes it' },
        },
        schema: {
          tags: ['Signing in'],
          summary: steps[step],
          description: 'Handed on to the organization service, whose answer it is.',
          body: anything,
          response: { 200: anything, ...codedErrors(400, 401, 413, 415, 429, 500, 503) },
        },
      },
      async (request, reply) => {
        await refuseBeyondLimit(request, reply);
        const answer = await people.signIn(step, request.body).catch((error: unknown) => {
          throw error instanceof OutboundError ? unavailable('Temporarily unavailable') : error;
        });
        const { 'retry-after': retryAfter } = answer.headers;
        if (typeof retryAfter === 'string') void reply.header('retry-after', retryAfter);
        return reply
          .code(answer.status as 200)
          .type('application/json')
          .send(JSON.parse(answer.body) as Record<string, unknown>);
      },
    );
}
