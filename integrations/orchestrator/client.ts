import { z } from 'zod';
import { OutboundError, parseAnswer, parseJson } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const status = z.enum(['pending', 'succeeded', 'failed']);
const link = z.object({
  owed: z
    .object({
      amountCents: z.int(),
      currency: z.string(),
      couponEnded: z.boolean(),
      needs: z.enum(['card', 'authentication', 'nothing']),
      status,
    })
    .nullable(),
});
const session = z.object({ clientSecret: z.string(), setupIntentId: z.string() });
const payment = z.object({ paid: z.boolean(), status });
const rejection = z.object({ error: z.string() });

/** The amount due under a payment link and the step it needs; null if nothing is due. */
export type Owed = z.infer<typeof link>['owed'];
/** The orchestrator rejected the link or the payment; the error text goes to the patient (D107). */
export interface LinkRejection {
  rejected: 400 | 409 | 429;
  error: string;
  /** The orchestrator's word for it (D139). */
  code: string | undefined;
  /** The header of a 429, if it has one. */
  retryAfter?: string | undefined;
}

/** Where a request came from, which the orchestrator's access events show (D165). */
export interface LinkCaller {
  ip: string;
  userAgent: string | null;
}

const timeoutMs = 10_000;
/** Longer than the orchestrator waits for the processor. */
const payTimeoutMs = 35_000;

/** Payment links at the orchestrator. All methods throw OutboundError. */
export function createPaymentLinkClient(settings: SignedParty) {
  async function call<T>(
    action: 'read' | 'session' | 'pay',
    body: object,
    shape: z.ZodType<T>,
    limitMs = timeoutMs,
  ): Promise<T | LinkRejection> {
    const { party } = settings;
    const response = await signedCall(settings, {
      method: 'POST',
      resource: 'payment link',
      path: `/orchestrator/payment-links/${action}`,
      body,
      timeoutMs: limitMs,
    });
    const { status, headers } = response;
    if (status !== 400 && status !== 409 && (status !== 429 || action !== 'pay'))
      return parseAnswer(party, response, shape);
    const parsed = rejection.safeParse(parseJson(party, response));
    if (!parsed.success) throw new OutboundError(party, { kind: 'malformed' });
    const { 'error-code': code, 'retry-after': retryAfter } = headers;
    const word = typeof code === 'string' ? code : undefined;
    return { rejected: status, error: parsed.data.error, code: word, retryAfter };
  }
  return {
    read: (token: string, caller: LinkCaller) => call('read', { token, caller }, link),
    /** A session that saves a card, or authenticates the saved one at its bank. */
    openSession: (token: string, caller: LinkCaller) => call('session', { token, caller }, session),
    pay: (
      token: string,
      card: { paymentMethodId?: string | undefined; setupIntentId?: string | undefined },
      caller: LinkCaller,
    ) => call('pay', { token, ...card, caller }, payment, payTimeoutMs),
  };
}
