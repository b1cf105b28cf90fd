import type { App, ServiceContext } from '../context.js';
import { codedErrors } from '../http-errors.js';
import * as contract from './contract.js';
import { createSignIn } from './sign-in.js';

const common = { tags: ['Signing in'], security: [{ signature: [] }] };
const errors = codedErrors(400, 401, 403, 413, 415, 429, 500, 503);

/**
 * Sign-in at the desk. The worklist hands it on with its caller's network address. The service counts codes by that
 * address and shows it in access events (D161).
 */
export function deskSignInRoutes(signed: App, context: ServiceContext): void {
  const signIn = createSignIn(context);

  signed.post(
    '/desk/sign-in/send',
    {
      config: { access: { none: 'public: the same answer for every address' } },
      schema: {
        ...common,
        summary: 'Mail a sign-in code to somebody at the desk',
        body: contract.deskCodeRequest,
        response: { 200: contract.done, ...errors },
      },
    },
    async ({ body: { email, caller } }, reply) => {
      await signIn.sendCode(reply, email, caller);
      return { success: true as const };
    },
  );

  signed.post(
    '/desk/sign-in/check',
    {
      config: { access: { action: 'session.start', refusal: 'session.refuse' } },
      schema: {
        ...common,
        summary: 'Sign somebody at the desk in with a code',
        body: contract.deskCodeCheck,
        response: { 200: contract.session, ...errors },
      },
    },
    async (request, reply) => {
      const { caller, ...given } = request.body;
      request.accessed.origin = caller;
      return signIn.byCode(request, reply, given, caller);
    },
  );

  signed.post(
    '/desk/sign-in/exchange',
    {
      config: {
        errorCodes: ['identity_provider_unavailable'],
        access: { action: 'session.start', refusal: 'session.refuse' },
      },
      schema: {
        ...common,
        summary: 'Sign somebody at the desk in with a token of the identity provider',
        body: contract.deskTokenExchange,
        response: { 200: contract.session, ...errors, ...codedErrors(409, 502) },
      },
    },
    async (request, reply) => {
      const { caller, ...given } = request.body;
      request.accessed.origin = caller;
      return signIn.byIdentity(request, reply, given, caller);
    },
  );
}
