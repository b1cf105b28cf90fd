import { OutboundError } from '../../platform/http/outbound.js';
import { sha256 } from '../../platform/crypto/ids.js';
import type { PatientContact } from '../../domain/orderable-patient.js';
import type { CardExpiry } from '../../domain/orchestrator/preflight.js';
import { usableContact } from '../../domain/usable-contact.js';
import { asOutbound, connect, party, type ProcessorSettings, unlessMissing } from './sdk.js';

/** The SDK repeats a call once, with the same idempotency key, if the connection fails. */
const timeoutMs = 4_000;
const perCall = { timeout: timeoutMs, maxNetworkRetries: 1 };

interface Payer {
  /** The submission; each has one customer. */
  reference: string;
  contact: Pick<PatientContact, 'name' | 'email'>;
  customerId: string | null;
}

export type CardClient = ReturnType<typeof createCardClient>;

/** Saved cards at the payment processor (page 2, Intake endpoints; D64). All methods throw OutboundError. */
export function createCardClient(settings: ProcessorSettings) {
  const stripe = connect(settings);
  return {
    /**
     * A session in which a browser saves a card; nothing is charged.
     * @param savedCardId card of the customer that the session authenticates at its bank
     */
    openSetup: (customerId: string | undefined, savedCardId?: string) =>
      outbound(async () => {
        const { id, client_secret: clientSecret } = await stripe.setupIntents.create(
          {
            usage: 'off_session',
            ...(customerId === undefined ? {} : { customer: customerId }),
            ...(savedCardId === undefined
              ? {}
              : {
                  payment_method: savedCardId,
                  payment_method_types: ['card'],
                  confirm: true,
                  use_stripe_sdk: true,
                }),
          },
          perCall,
        );
        if (clientSecret === null) throw new OutboundError(party, { kind: 'malformed' });
        return { clientSecret, setupIntentId: id };
      }),

    /** Reads the card of a session that succeeded. */
    findSetup: (setupIntentId: string) =>
      outbound(async () => {
        const { status, payment_method: method } = await stripe.setupIntents.retrieve(
          setupIntentId,
          {},
          perCall,
        );
        return { isDone: status === 'succeeded', paymentMethodId: idOf(method) ?? undefined };
      }),

    /** A customer's e-mail address; undefined without an address or customer. */
    findCustomerEmail: async (customerId: string): Promise<string | undefined> => {
      const customer = await unlessMissing(timeoutMs, () =>
        stripe.customers.retrieve(customerId, {}, perCall),
      );
      // An id of dots returns a list, which has no address either.
      return customer === undefined || customer.deleted ? undefined : (customer.email ?? undefined);
    },

    /** The last month of a saved card; undefined if the processor does not have it. */
    findExpiry: async (paymentMethodId: string): Promise<CardExpiry | undefined> => {
      const method = await unlessMissing(timeoutMs, () =>
        stripe.paymentMethods.retrieve(paymentMethodId, {}, perCall),
      );
      return method?.card && { year: method.card.exp_year, month: method.card.exp_month };
    },

    /**
     * Attaches a card to the payer's customer, and creates the customer if needed. Safe to repeat.
     * @throws OutboundError without an answer, or if the card is rejected or belongs to another customer
     */
    saveCard: (
      payer: Payer,
      { paymentMethodId, setupIntentId }: { paymentMethodId: string; setupIntentId: string | undefined },
    ) =>
      outbound(async () => {
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

  /** True if it is our customer, created by a request whose answer was lost or that still runs. */
  async function isMadeFor(ownerId: string, reference: string): Promise<boolean> {
    const owner = await stripe.customers.retrieve(ownerId, {}, perCall);
    return !owner.deleted && owner.metadata['submission_id'] === reference;
  }

  /** A card's id proves nothing; the session that saved it for that customer does. */
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
   * Searches first, because the processor drops idempotency keys after a day. The key covers concurrent calls and the
   * delay of the search. The query has the submission's id, because an e-mail address must not be in a URL.
   */
  async function findOrMakeCustomer({ reference, contact }: Payer): Promise<string> {
    const query = `metadata['submission_id']:'${reference}'`;
    const [known] = (await stripe.customers.search({ query, limit: 1 }, perCall)).data;
    if (known) return known.id;
    // The processor rejects an unusable address or a long name, which would look like a rejected card (D150).
    const { name, email } = usableContact(contact);
    const made = await stripe.customers.create(
      { ...(name && { name }), ...(email && { email }), metadata: { submission_id: reference } },
      { ...perCall, idempotencyKey: `customer:${reference}` },
    );
    return made.id;
  }
}

const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

async function outbound<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw asOutbound(error, timeoutMs);
  }
}
