import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { handOnSession, handOnSignIn } from '../../integrations/organization/desk-sign-in.js';
import { type OutboundResponse, parseJson } from '../../platform/http/outbound.js';
import { errorHeaders, isErrorCode } from '../error-codes.js';
import type { App, ServiceContext } from '../context.js';
import { forAnybody } from '../plugins/anonymous.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { codedErrors, unavailable } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';
import { partyAt } from './parties.js';

/** The organization service validates it. */
const anything = z.record(z.string(), z.unknown());
const description = 'Forwarded to the organization service, which answers.';
const access = { none: 'handed on to the organization service, which records it' } as const;
const steps = {
  send: ['/v1/auth/otp/send', 'Mail a sign-in code'],
  check: ['/v1/auth/otp/check', 'Sign in with a code'],
  exchange: ['/v1/auth/exchange', 'Sign in with a token of the identity provider'],
} as const;
const sessionSteps = {
  refresh: ['Renew the session', 'session.refresh'],
  'sign-out': ['End all tokens of the admin', 'session.end'],
} as const;
const signInWays = z
  .object({
    codes: z.boolean().describe('True if a mailed code signs in'),
    provider: z
      .object({ authorizeUrl: z.url(), clientId: z.string() })
      .nullable()
      .describe('The identity provider, where one is configured'),
  })
  .meta({ id: 'SignInWays' });

/** Sign-in and sessions at the desk, whose page can only call its own origin (D110, D142). The organization service answers. */
export function signInRoutes(admin: App, { config }: ServiceContext): void {
  const settings = config.service('worklist');
  const organization = partyAt({ config }, 'ORGANIZATION_URL');
  const limitAddress = limitPerAddress(admin, settings.RATE_LIMIT_CODES_PER_MINUTE);
  const { ADMIN_SIGN_IN, IDP_AUTHORIZE_URL, IDP_AUDIENCE: clientId } = settings;
  const ways = {
    codes: ADMIN_SIGN_IN !== 'provider',
    provider:
      ADMIN_SIGN_IN === 'codes' || IDP_AUTHORIZE_URL === undefined
        ? null
        : { authorizeUrl: IDP_AUTHORIZE_URL, clientId },
  };

  admin.get(
    '/v1/auth/ways',
    {
      config: { policy: { allows: 'anyone' }, access: { none: 'public: how to sign in' } },
      schema: {
        tags: ['Signing in'],
        summary: 'Get the ways to sign in at the desk',
        response: { 200: signInWays },
      },
    },
    () => ways,
  );

  for (const step of ['send', 'check', 'exchange'] as const) {
    const [path, summary] = steps[step];
    admin.post(
      path,
      {
        config: { errorCodes: ['identity_provider_unavailable'], policy: { allows: 'anyone' }, access },
        ...forAnybody(limitAddress),
        schema: {
          tags: ['Signing in'],
          summary,
          description,
          body: anything,
          response: {
            200: anything,
            ...codedErrors(400, 403, 413, 415, 429, 500, 503),
            ...(step === 'send' ? {} : codedErrors(401)),
            ...(step === 'exchange' ? codedErrors(409, 502) : {}),
          },
        },
      },
      async (request, reply) => {
        const { email, code, idToken } = request.body;
        const caller = { ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, 500) ?? null };
        return passOn(reply, handOnSignIn(organization, step, { email, code, idToken, caller }));
      },
    );
  }

  for (const step of ['refresh', 'sign-out'] as const) {
    const [summary, action] = sessionSteps[step];
    admin.post(
      `/v1/auth/${step}`,
      {
        // Its own event, since the organization service sees only our address.
        config: { policy: { allows: 'admins' }, access: { action } },
        schema: {
          tags: ['Signing in'],
          summary,
          description,
          security: [{ adminToken: [] }],
          response: { 200: anything, ...codedErrors(401, 413, 415, 429, 500, 503) },
        },
      },
      async ({ headers: { authorization = '' } }, reply) =>
        passOn(reply, handOnSession(organization, step, authorization)),
    );
  }
}

/** Answers as the organization service does. @throws HttpError 503 where it does not, or a gateway does in its place */
async function passOn(reply: FastifyReply, handedOn: Promise<OutboundResponse>): Promise<FastifyReply> {
  const { status, headers, body } = await handedOn
    .then((response) => ({ ...response, body: parseJson('Organization service', response) }))
    .catch(outboundAs(() => unavailable()));
  const { 'retry-after': retryAfter, 'error-code': word } = headers;
  if (isErrorCode(word)) void reply.headers(errorHeaders(status, word));
  if (typeof retryAfter === 'string') void reply.header('retry-after', retryAfter);
  return reply.code(status).type('application/json').send(body);
}
