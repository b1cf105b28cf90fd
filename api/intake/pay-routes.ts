import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  createPaymentLinkClient,
  type LinkRefusal,
  type Owed,
} from '../../integrations/orchestrator/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { App, ServiceContext } from '../context.js';
import { fieldErrors, internal, Refused, unavailable } from '../refusals.js';
import { text } from '../text.js';
import { payAnswer, payRequest, paySessionAnswer, paySessionRequest } from './contract.js';
import { hashOf } from './page-policy.js';

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
  const page = readFileSync(new URL('pay.html', import.meta.url), 'utf8');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(page, 'script')}`,
    `style-src ${hashOf(page, 'style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
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
      if (!('refused' in answer)) return show(reply, 200, { owed: answer.owed });
      if (!takesPages(request)) throw refusalOf(answer);
      return show(reply, 400, { error: answer.error });
    },
  );

  app.post(
    '/pay/session',
    {
      config: { access },
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
  const show = (reply: FastifyReply, status: number, state: { owed: Owed } | { error: string }) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy })
      .send(filled(page, state));
}

/** @throws Refused as the orchestrator did */
function given<T extends object>(answer: T | LinkRefusal): T {
  if ('refused' in answer) throw refusalOf(answer);
  return answer;
}

const refusalOf = ({ refused, error }: LinkRefusal): Refused => new Refused(refused, error);

const takesPages = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true;

/** What the page says is written into it, so that it reads without its script too. */
function filled(page: string, state: { owed: Owed } | { error: string }): string {
  const { heading, lines } = sayingOf(state);
  const owed = 'owed' in state && state.owed?.status === 'failed' ? state.owed : undefined;
  const values: Record<string, string> = {
    heading,
    lines: lines.map((line) => `<p>${line}</p>`).join('\n      '),
    needs: owed?.needs ?? 'none',
  };
  return page.replace(/\{\{(\w+)\}\}/g, (_match, name: string) => values[name] ?? '');
}

function sayingOf(state: { owed: Owed } | { error: string }): { heading: string; lines: string[] } {
  if ('error' in state) {
    const isExpired = state.error === 'Payment link expired';
    return {
      heading: isExpired ? 'Payment link expired' : 'Invalid payment link',
      lines: [
        isExpired
          ? 'This link has expired. Please contact us, and we will find a way together.'
          : 'Please open the link in our message to you as it stands there.',
      ],
    };
  }
  const { owed } = state;
  if (!owed) return { heading: 'Nothing is owed', lines: ['There is nothing left to pay here. Thank you.'] };
  const amount = amountOf(owed);
  if (owed.status !== 'failed')
    return {
      heading: 'Your payment is under way',
      lines: [`We are waiting for your bank’s answer on ${amount}. Please look again in a while.`],
    };
  return {
    heading: `Pay ${amount}`,
    lines: [
      ...(owed.couponEnded ? ['Your coupon is no longer valid. This is the price without it.'] : []),
      {
        card: 'Your card was declined, or there is none yet. Please use another card.',
        authentication: 'Your bank asks you to confirm this payment. You can also use another card.',
        nothing: 'You can pay with the card you saved, or use another one.',
      }[owed.needs],
    ],
  };
}

const amountOf = ({ amountCents, currency }: NonNullable<Owed>): string => {
  const amount = (amountCents / 100).toFixed(2);
  return currency === 'usd' ? `$${amount}` : `${amount} ${currency.toUpperCase().replace(/[^A-Z]/g, '')}`;
};
