import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  createPaymentLinkClient,
  type LinkCaller,
  type LinkRejection,
} from '../../integrations/orchestrator/client.js';
import type { App, ServiceContext } from '../context.js';
import { isErrorCode } from '../error-codes.js';
import { outboundAs } from '../outcomes.js';
import { forAnybody } from '../plugins/anonymous.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { fieldErrors, internal, HttpError, unavailable } from '../http-errors.js';
import { text } from '../../platform/http/text.js';
import { payAnswer, payRequest, paySessionAnswer, paySessionRequest } from './contract.js';
import { fillPayPage, type PayPageState, readPayPage } from './pay-page.js';

/**
 * The page of a payment link (D107, D163). It shows the amount owed, saves a new card and confirms with the bank. Neither
 * the page nor any answer names the order. The orchestrator knows the links and answers every request.
 */
export function payRoutes(app: App, { config, logger }: ServiceContext): void {
  const settings = config.service('intake');
  const links = createPaymentLinkClient({
    party: 'Orchestrator',
    baseUrl: settings.ORCHESTRATOR_URL,
    keyId: settings.INTAKE_API_KEY,
    secret: settings.INTAKE_API_SECRET,
  });
  const pageSettings = {
    clinic: settings.CLINIC_NAME,
    contact: settings.CLINIC_CONTACT,
    publishableKey: settings.STRIPE_PUBLISHABLE_KEY,
  };
  const page = readPayPage(pageSettings);
  const access = {
    none: 'handed on to the orchestrator, which records it: the caller has the link that the patient received',
  };
  const errors = { ...fieldErrors(400, 409, 413, 415, 429, 503), 500: internal };

  app.get(
    '/pay',
    {
      config: { access },
      schema: {
        tags: ['Payment'],
        summary: 'Show the payment page',
        description:
          'An HTML page for browsers. Without a valid token the status is 400; clients that accept no HTML get `{error}`.',
        querystring: z.object({ token: text(4_000).default('').catch('') }),
      },
    },
    async (request, reply) => {
      const { token } = request.query;
      const answer = await orUnavailable(links.read(token, callerOf(request)));
      if (!('rejected' in answer)) return show(reply, 200, { owed: answer.owed });
      if (!acceptsHtml(request)) throw errorOf(answer);
      return show(reply, 400, { error: answer.error });
    },
  );

  app.post(
    '/pay/session',
    {
      config: { errorCodes: ['payment_link_expired', 'payment_link_invalid'], access },
      ...forAnybody(limitPerAddress(app, settings.RATE_LIMIT_CARD_SESSIONS_PER_MINUTE)),
      schema: {
        tags: ['Payment'],
        summary: 'Open a session to save a card or to confirm the saved one with its bank',
        body: paySessionRequest,
        response: { 200: paySessionAnswer, ...errors },
      },
    },
    async (request) => orThrow(await orUnavailable(links.openSession(request.body.token, callerOf(request)))),
  );

  app.post(
    '/pay',
    {
      config: { errorCodes: ['payment_link_expired', 'payment_link_invalid'], access },
      ...forAnybody(limitPerAddress(app, settings.RATE_LIMIT_CARD_SESSIONS_PER_MINUTE)),
      schema: {
        tags: ['Payment'],
        summary: 'Pay the amount owed, once',
        description:
          'Charges the given card or session, which is saved for later charges once it has paid. Without one, charges the saved card, unless its bank has declined it permanently. `pending`: the result comes later. A link takes 5 tries an hour and 15 in all; then 429 `Too many attempts`, with `Retry-After` for the hour.',
        body: payRequest,
        response: { 200: payAnswer, ...errors },
      },
    },
    async (request) => {
      const { token, ...card } = request.body;
      return orThrow(await orUnavailable(links.pay(token, card, callerOf(request))));
    },
  );

  /** @throws HttpError 503 while the orchestrator is unavailable */
  const orUnavailable = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch(
      outboundAs((err) => {
        logger.warn({ err }, 'could not open a payment link');
        return unavailable();
      }),
    );

  const show = (reply: FastifyReply, status: number, state: PayPageState) =>
    reply
      .code(status)
      .headers(page.headers)
      .send(fillPayPage(page.html, pageSettings, state));
}

/** @throws HttpError as the orchestrator answered */
function orThrow<T extends object>(answer: T | LinkRejection): T {
  if ('rejected' in answer) throw errorOf(answer);
  return answer;
}

const errorOf = ({ rejected, error, code, retryAfter }: LinkRejection): HttpError =>
  new HttpError(rejected, error, {
    ...(isErrorCode(code) && { code }),
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  });

const acceptsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true;

/** A patient, whose address the orchestrator could not see (D165). */
const callerOf = ({ ip, headers }: FastifyRequest): LinkCaller => ({
  ip,
  userAgent: headers['user-agent']?.slice(0, 500) ?? null,
});
