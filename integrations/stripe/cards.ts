import { OutboundError } from '../../platform/http/outbound.js';
import { sha256 } from '../../platform/crypto/ids.js';
import { asOutbound, connect, party, type ProcessorSettings } from './sdk.js';

/** One call, made again once when the connection fails; the SDK gives both the same key. */
const timeoutMs = 4_000;
const perCall = { timeout: timeoutMs, maxNetworkRetries: 1 };

export interface Payer {
  /** What there is one customer for: the submission. */
  reference: string;
  name: string;
  email: string;
  /** Where the customer is known already. */
  customerId: string | null;
}

export interface CardClient {
  /** A session in which a browser saves a card; nothing is charged. @throws OutboundError */
  openSetup: (customerId: string | undefined) => Promise<{ clientSecret: string; setupIntentId: string }>;
  /**
   * Attaches a card to the payer's customer, who is made where there is none. The same again makes nothing new.
   * @throws OutboundError when the processor gave no answer, or refuses the card, or it is somebody else's
   */
  saveCard: (
    payer: Payer,
    card: { paymentMethodId: string; setupIntentId: string | undefined },
  ) => Promise<{ customerId: string; cardId: string }>;
}

/** The part of the payment processor that keeps cards (page 2; D64). */
export function createCardClient(settings: ProcessorSettings): CardClient {
  const stripe = connect(settings);
  return {
    openSetup: (customerId) =>
      asking(async () => {
        const { id, client_secret: clientSecret } = await stripe.setupIntents.create(
          {
            usage: 'off_session',
            ...(customerId === undefined ? {} : { customer: customerId }),
          },
          perCall,
        );
        if (clientSecret === null) throw new OutboundError(party, { kind: 'malformed' });
        return { clientSecret, setupIntentId: id };
      }),

    saveCard: (payer, { paymentMethodId, setupIntentId }) =>
      asking(async () => {
        const card = await stripe.paymentMethods.retrieve(paymentMethodId, {}, perCall);
        const ownerId = idOf(card.customer);
        if (ownerId !== null) {
          const isOurs =
            ownerId === payer.customerId || (await savedInSetup(ownerId, card.id, setupIntentId));
          if (!isOurs) throw new OutboundError(party, { kind: 'status', status: 400, body: '' });
          return { customerId: ownerId, cardId: card.id };
        }
        const customerId = payer.customerId ?? (await findOrMakeCustomer(payer));
        const attached = await stripe.paymentMethods.attach(
          paymentMethodId,
          { customer: customerId },
          { ...perCall, idempotencyKey: `card:${payer.reference}:${sha256(paymentMethodId)}` },
        );
        return { customerId, cardId: attached.id };
      }),
  };

  /** Knowing a card's id proves nothing; the session that saved it for that customer does. */
  async function savedInSetup(
    ownerId: string,
    cardId: string,
    setupIntentId: string | undefined,
  ): Promise<boolean> {
    if (setupIntentId === undefined) return false;
    const setup = await stripe.setupIntents.retrieve(setupIntentId, {}, perCall);
    return (
      setup.status === 'succeeded' &&
      idOf(setup.customer) === ownerId &&
      idOf(setup.payment_method) === cardId
    );
  }

  /** Looked for first, since the processor forgets keys after a day; the key is for calls at the same time. */
  async function findOrMakeCustomer({ reference, name, email }: Payer): Promise<string> {
    for await (const customer of stripe.customers.list({ email, limit: 100 }, perCall))
      if (customer.metadata['submission_id'] === reference) return customer.id;
    const made = await stripe.customers.create(
      { name, email, metadata: { submission_id: reference } },
      { ...perCall, idempotencyKey: `customer:${reference}` },
    );
    return made.id;
  }
}

const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw asOutbound(error, timeoutMs);
  }
}
