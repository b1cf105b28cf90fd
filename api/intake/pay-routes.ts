import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createPaymentLinkClient, type LinkRejection } from '../../integrations/orchestrator/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { App, ServiceContext } from '../context.js';
import { readPage } from '../pages.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { fieldErrors, internal, HttpError, unavailable } from '../http-errors.js';
import { text } from '../../platform/http/text.js';
import { payAnswer, payRequest, paySessionAnswer, paySessionRequest } from './contract.js';
import { fillPayPage, type PayPageState } from './pay-page.js';

/**
 * Where a payment link leads (D107): a page with what is owed, on which a new card is saved or the bank satisfied. It says
 * nothing of what was ordered, and neither does any answer here. The orchestrator knows the links; it is asked.
 */
export function payRoutes(app: App, { config, logger }: ServiceContext): void {
  const settings = config.service('intake');
  const links = createPaymentLinkClient({
    party: 'Orchestrator',
    baseUrl: settings.ORCHESTRATOR_URL,
    keyId: settings.INTAKE_API_KEY,
    secret: settings.INTAKE_API_SECRET,
  });
  const page = readPage(new URL('pay.html', import.meta.url));
  const access = { none: 'public: whoever has the link, which was sent to the patient' };
  const refusals = { ...fieldErrors(400, 409, 413, 415, 429, 503), 500: internal };

  app.get(
    '/pay',
    {
      config: { access },
      schema: {
        tags: ['Payment'],
        summary: 'The page on which a patient pays what is owed',
        description: 'A page for browsers; without a good token 400, for who takes no page `{error}`.',
        querystring: z.object({ token: text(4_000).default('').catch('') }),
      },
    },
    async (request, reply) => {
      const { token } = request.query;
      const answer = await asking(() => links.read(token));
      if (!('rejected' in answer)) return show(reply, 200, { owed: answer.owed });
      if (!takesPages(request)) throw errorOf(answer);
      return show(reply, 400, { error: answer.error });
    },
  );

  app.post(
    '/pay/session',
    {
      config: { access },
      onRequest: limitPerAddress(app, settings.RATE_LIMIT_CARD_SESSIONS_PER_MINUTE),
      schema: {
        tags: ['Payment'],
        summary: 'Open a session in which the browser saves a card, or satisfies the bank of the saved one',
        body: paySessionRequest,
        response: { 200: paySessionAnswer, ...refusals },
      },
    },
    async ({ body: { token } }) => given(await asking(() => links.openSession(token))),
  );

  app.post(
    '/pay',
    {
      config: { access },
      schema: {
        tags: ['Payment'],
        summary: 'Pay what is owed, once',
        description:
          'A card or a session that is handed in is saved first, for later charges too. Without, the saved card is charged, unless the bank declined it for good. `pending`: the verdict comes later.',
        body: payRequest,
        response: { 200: payAnswer, ...refusals },
      },
    },
    async ({ body: { token, ...card } }) => given(await asking(() => links.pay(token, card))),
  );

  /** @throws Refused 503 while the orchestrator gives no answer */
  async function asking<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      logger.warn({ err: error }, 'a payment link could not be opened');
      throw unavailable('Temporarily unavailable');
    }
  }

  /** The page with what it has to say, which stands in it as data that its script reads. */
  const show = (reply: FastifyReply, status: number, state: PayPageState) =>
    reply.code(status).headers(page.headers).send(fillPayPage(page.html, state));
}

/** @throws Refused as the orchestrator did */
function given<T extends object>(answer: T | LinkRejection): T {
  if ('rejected' in answer) throw errorOf(answer);
  return answer;
}

const errorOf = ({ rejected, error }: LinkRejection): HttpError => new HttpError(rejected, error);

const takesPages = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true;
