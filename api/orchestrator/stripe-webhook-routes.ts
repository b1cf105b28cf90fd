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
 * Where the payment processor reports (D108): signed as its own library verifies, no key named. Each event counts once;
 * what it cannot be taken for now is answered so that it is sent again.
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
    const countRefusal = countUnverified(scope, config);
    rejectDeclaredLength(scope);
    keepBytes(scope);
    scope.post(
      '/orchestrator/webhooks/stripe',
      {
        config: { access: { none: 'no admin and no key: the payment processor tells of charges of ours' } },
        schema: {
          tags: ['Payment'],
          summary: 'Take a webhook of the payment processor',
          description:
            'Signed by `Stripe-Signature`, at most five minutes old. Other types than the four that concern us are taken and change nothing.',
          response: { 200: contract.received, ...issueErrors(400, 413, 429, 500, 503) },
        },
      },
      async (request, reply) => {
        const { 'stripe-signature': signature = '' } = request.headers;
        const event = reader.read(request.rawBody, String(signature));
        if (typeof event === 'string') {
          await countRefusal(request, reply);
          throw new HttpError(400, event === 'unsigned' ? 'Invalid signature' : 'Malformed webhook');
        }
        const news = event.news && (await marked(event.news));
        await takeProcessorEvent(sql, { ...event, news });
        return { ok: true as const };
      },
    );
  });

  /** A dispute does not say whose charge it is; the charge's own record at the processor does. @throws Refused 503 */
  async function marked(news: ProcessorNews): Promise<PaymentNews> {
    if (news.kind !== 'disputed') return news;
    try {
      return { ...news, mark: (await reader.findMark(news.paymentIntentId)) ?? null };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      logger.warn({ err: error }, 'a dispute could not be looked up');
      throw unavailable('Temporarily unavailable');
    }
  }
}
