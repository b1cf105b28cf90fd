import { OutboundError } from '../../platform/http/outbound.js';
import { sha256 } from '../../platform/crypto/ids.js';
import type { CardExpiry } from '../../domain/orchestrator/preflight.js';
import { asOutbound, connect, party, type ProcessorSettings, unlessMissing } from './sdk.js';

/** One call, made again once when the connection fails; the SDK gives both the same key. */
const timeoutMs = 4_000;
const perCall = { timeout: timeoutMs, maxNetworkRetries: 1 };

interface Payer {
  /** The submission: there is one customer for each. */
  reference: string;
  name: string;
  email: string;
  /** The customer's id; null while it is not known. */
  customerId: string | null;
}

export interface CardClient {
  /**
   * A session in which a browser saves a card; nothing is charged.
   * @param savedCardId of that customer: the session is for the bank's check of it
   * @throws OutboundError
   */
  openSetup: (
    customerId: string | undefined,
    savedCardId?: string,
  ) => Promise<{ clientSecret: string; setupIntentId: string }>;
  /** A session by its id: whether the bank was satisfied, and by which card. @throws OutboundError */
  findSetup: (setupIntentId: string) => Promise<{ isDone: boolean; paymentMethodId: string | undefined }>;
  /** A customer's e-mail address; undefined where there is none, or no such customer. @throws OutboundError */
  findCustomerEmail: (customerId: string) => Promise<string | undefined>;
  /** The last month of a saved card; undefined where the processor has none by that id. @throws OutboundError */
  findExpiry: (paymentMethodId: string) => Promise<CardExpiry | undefined>;
  /**
   * Attaches a card to the payer's customer, who is made where there is none. The same again makes nothing new.
   * @throws OutboundError when the processor gave no answer, or refuses the card, or it is somebody else's
   */
  saveCard: (
    payer: Payer,
    card: { paymentMethodId: string; setupIntentId: string | undefined },
  ) => Promise<{ customerId: string; cardId: string }>;
}

/** The part of the payment processor that keeps cards (page 2, Intake endpoints; D64). */
export function createCardClient(settings: ProcessorSettings): CardClient {
  const stripe = connect(settings);
  return {
    openSetup: (customerId, savedCardId) =>
      asking(async () => {
        const { id, client_secret: clientSecret } = await stripe.setupIntents.create(
          {
            usage: 'off_session',
            ...(customerId === undefined ? {} : { customer: customerId }),
            ...(savedCardId === undefined
              ? {}
              : { payment_method: savedCardId, payment_method_types: ['card'], confirm: true }),
          },
          perCall,
        );
        if (clientSecret === null) throw new OutboundError(party, { kind: 'malformed' });
        return { clientSecret, setupIntentId: id };
      }),

    findSetup: (setupIntentId) =>
      asking(async () => {
        const { status, payment_method: method } = await stripe.setupIntents.retrieve(
          setupIntentId,
          {},
          perCall,
        );
        return { isDone: status === 'succeeded', paymentMethodId: idOf(method) ?? undefined };
      }),

    findCustomerEmail: async (customerId) => {
      const customer = await unlessMissing(timeoutMs, () =>
        stripe.customers.retrieve(customerId, {}, perCall),
      );
      // Of a list too, which is what an id of dots leads to, there is no address.
      return customer === undefined || customer.deleted ? undefined : (customer.email ?? undefined);
    },

    findExpiry: async (paymentMethodId) => {
      const method = await unlessMissing(timeoutMs, () =>
        stripe.paymentMethods.retrieve(paymentMethodId, {}, perCall),
      );
      return method?.card && { year: method.card.exp_year, month: method.card.exp_month };
    },

    saveCard: (payer, { paymentMethodId, setupIntentId }) =>
      asking(async () => {
        const card = await stripe.paymentMethods.retrieve(paymentMethodId, {}, perCall);
        const ownerId = idOf(card.customer);
        if (ownerId !== null) {
          const isOurs =
            ownerId === payer.customerId ||
            (await isMadeFor(ownerId, payer.reference)) ||
            (await savedInSetup(ownerId, card.id, setupIntentId));
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

  /** Our own customer, whose card is not kept here yet: an answer was lost, or the same request is under way. */
  async function isMadeFor(ownerId: string, reference: string): Promise<boolean> {
    const owner = await stripe.customers.retrieve(ownerId, {}, perCall);
    return !owner.deleted && owner.metadata['submission_id'] === reference;
  }

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

  /**
   * Looked for first, since the processor forgets keys after a day; the key is for calls at the same time, and for as
   * long as the search lags behind. By the submission's id: an e-mail address has no place in a URL.
   */
  async function findOrMakeCustomer({ reference, name, email }: Payer): Promise<string> {
    const query = `metadata['submission_id']:'${reference}'`;
    const [known] = (await stripe.customers.search({ query, limit: 1 }, perCall)).data;
    if (known) return known.id;
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
