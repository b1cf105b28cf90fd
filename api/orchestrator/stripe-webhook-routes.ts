import { isUndecided, takeProcessorEvent } from '../../db/orchestrator/processor-events.js';
import { hasFailedRefund } from '../../db/orchestrator/refunds.js';
import type { ProcessorNews } from '../../domain/orchestrator/processor-news.js';
import { createWebhookReader } from '../../integrations/stripe/webhooks.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { App, ServiceContext } from '../context.js';
import { callersHaveSecret } from '../plugins/anonymous.js';
import { rejectDeclaredLength } from '../plugins/declared-length.js';
import { countUnverified } from '../plugins/rate-limit.js';
import { keepBytes } from '../plugins/strict-json.js';
import { issueErrors, HttpError, unavailable } from '../http-errors.js';
import * as contract from './contract.js';

/**
 * Receives webhooks of the payment processor (D108, D153), verified by its own library. Each event counts once. If an
 * event cannot be processed now, the error makes the processor send it again.
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
    callersHaveSecret(scope);
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
            'Requires a `Stripe-Signature` that is at most five minutes old. Accepts all event types, and ignores all but six and what names no payment of ours.',
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
        if (event) {
          const news = await completed(event.news);
          await takeProcessorEvent(sql, { ...event, news }, { receipts: settings.RECEIPTS });
        }
        return { ok: true as const };
      },
    );
  });

  /**
   * Looks up at the processor what an event lacks: the charge of a dispute, or the present refunds after a failed
   * refund. The event may be older than those (D153).
   * @throws HttpError 503 also for a failed refund whose run has not recorded the processor's answer
   */
  async function completed(news: ProcessorNews): Promise<ProcessorNews> {
    const { kind, paymentIntentId } = news;
    try {
      if (kind === 'disputed') return { ...news, mark: (await reader.findMark(paymentIntentId)) ?? null };
      if (kind === 'refund_failed' && (await isUndecided(sql, news))) throw unavailable();
      if (kind !== 'refunded' || !(await hasFailedRefund(sql, paymentIntentId))) return news;
      return { ...news, refundedCents: (await reader.findRefundedCents(paymentIntentId)) ?? 0 };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      logger.warn({ err: error }, 'lookup of a charge failed');
      throw unavailable();
    }
  }
}
