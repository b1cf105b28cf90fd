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
const refused = z.object({ error: z.string() });

/** What is owed by a payment link, and what it takes to pay it; null: nothing. */
export type Owed = z.infer<typeof link>['owed'];
/** The link, or what it is for, is refused: 400 and 409 with the text to hand on (D107). */
export interface LinkRefusal {
  refused: 400 | 409;
  error: string;
}

interface PaymentLinkClient {
  /** @throws OutboundError */
  read: (token: string) => Promise<{ owed: Owed } | LinkRefusal>;
  /** A session in which a card is saved, or the bank of the saved one satisfied. @throws OutboundError */
  openSession: (token: string) => Promise<z.infer<typeof session> | LinkRefusal>;
  /** @throws OutboundError */
  pay: (
    token: string,
    card: { paymentMethodId?: string | undefined; setupIntentId?: string | undefined },
  ) => Promise<z.infer<typeof payment> | LinkRefusal>;
}

const timeoutMs = 10_000;
/** Longer than the orchestrator waits for a verdict. */
const payWithinMs = 35_000;

/** The part of the orchestrator that opens payment links. */
export function createPaymentLinkClient(settings: SignedParty): PaymentLinkClient {
  async function ask<T>(
    what: 'read' | 'session' | 'pay',
    body: object,
    shape: z.ZodType<T>,
    withinMs = timeoutMs,
  ): Promise<T | LinkRefusal> {
    const { party } = settings;
    const response = await signedCall(settings, {
      method: 'POST',
      resource: 'payment link',
      path: `/orchestrator/payment-links/${what}`,
      body,
      timeoutMs: withinMs,
    });
    if (response.status !== 400 && response.status !== 409) return parseAnswer(party, response, shape);
    const parsed = refused.safeParse(parseJson(party, response));
    if (!parsed.success) throw new OutboundError(party, { kind: 'malformed' });
    return { refused: response.status, error: parsed.data.error };
  }
  return {
    read: (token) => ask('read', { token }, link),
    openSession: (token) => ask('session', { token }, session),
    pay: (token, card) => ask('pay', { token, ...card }, payment, payWithinMs),
  };
}
