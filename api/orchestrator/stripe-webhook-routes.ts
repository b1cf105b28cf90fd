import { type PaymentNews, takeProcessorEvent } from '../../db/orchestrator/processor-events.js';
import { createWebhookReader, type ProcessorNews } from '../../integrations/stripe/webhooks.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { App, ServiceContext } from '../context.js';
import { rejectDeclaredLength } from '../plugins/declared-length.js';
import { countUnverified } from '../plugins/rate-limit.js';
import { keepBytes } from '../plugins/strict-json.js';
import { issueErrors, HttpError, unavailable } from '../http-errors.js';
import * as contract from './contract.js';

/**
 * Receives webhooks of the payment processor (D108), verified by its own library. Each event counts once. If an event
 * cannot be processed now, the error makes the processor send it again.
 */
export async function stripeWebhookRoutes(app: App, context: ServiceContext): Promise<void> {
  const { sql, config, logger } = context;
  const settings = config.service('orchestrator');
  const reader = createWebhookReader({
    apiBase: settings.STRIPE_API_BASE,
    secretKey: settings.STRIPE_SECRET_KEY,
    webhookSecret: settings.STRIPE_WEBHOOK_SECRET,
  });

  await app.register(async (instance) => {
    const scope = instance as App;
    const limitUnverified = countUnverified(scope, config);
    rejectDeclaredLength(scope);
    keepBytes(scope);
    scope.post(
      '/orchestrator/webhooks/stripe',
      {
        config: { access: { none: 'no admin and no key: the payment processor reports on our charges' } },
        schema: {
          tags: ['Payment'],
          summary: 'Receive a webhook of the payment processor',
          description:
            'Requires a `Stripe-Signature` that is at most five minutes old. Accepts all event types and ignores all but four.',
          response: { 200: contract.received, ...issueErrors(400, 413, 429, 500, 503) },
        },
      },
      async (request, reply) => {
        const { 'stripe-signature': signature = '' } = request.headers;
        const event = reader.read(request.rawBody, String(signature));
        if (typeof event === 'string') {
          await limitUnverified(request, reply);
          throw new HttpError(400, event === 'unsigned' ? 'Invalid signature' : 'Malformed webhook');
        }
        const news = event.news && (await marked(event.news));
        await takeProcessorEvent(sql, { ...event, news }, { receipts: settings.RECEIPTS });
        return { ok: true as const };
      },
    );
  });

  /** A dispute does not name our charge, so look it up at the processor. @throws HttpError 503 */
  async function marked(news: ProcessorNews): Promise<PaymentNews> {
    if (news.kind !== 'disputed') return news;
    try {
      return { ...news, mark: (await reader.findMark(news.paymentIntentId)) ?? null };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      logger.warn({ err: error }, 'lookup of a disputed charge failed');
      throw unavailable('Temporarily unavailable');
    }
  }
}
