import { asOutbound, connect, type ProcessorSettings } from './sdk.js';

export type ProcessorLedger = ReturnType<typeof createProcessorLedger>;

interface Period {
  from: Date;
  to: Date;
  /** The last one of the page before. */
  after: string | null;
}
const pageSize = 100;

/** The processor's own lists of what it took and gave back (D131). All methods throw OutboundError. */
export function createProcessorLedger(settings: ProcessorSettings) {
  const stripe = connect(settings);
  const once = (timeout: number) => ({ timeout, maxNetworkRetries: 0 });
  const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
  const within = ({ from, to, after }: Period) => ({
    created: { gte: seconds(from), lt: seconds(to) },
    limit: pageSize,
    ...(after !== null && { starting_after: after }),
  });
  const asking = async <T>(timeoutMs: number, ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      throw asOutbound(error, timeoutMs);
    }
  };

  return {
    /** A page of the charges of a period, newest first; those that were not paid are left out. */
    listCharges: (period: Period, timeoutMs: number) =>
      asking(timeoutMs, async () => {
        const { data, has_more: isMore } = await stripe.charges.list(within(period), once(timeoutMs));
        return {
          charges: data.filter(({ status }) => status === 'succeeded').map(chargeOf),
          next: nextOf(data, isMore),
        };
      }),

    /** A page of the refunds of a period, newest first; those that failed are left out. */
    listRefunds: (period: Period, timeoutMs: number) =>
      asking(timeoutMs, async () => {
        const { data, has_more: isMore } = await stripe.refunds.list(within(period), once(timeoutMs));
        return { refunds: data.filter(isKept).map(refundOf), next: nextOf(data, isMore) };
      }),

    /** The charges and refunds of one intent, as they are now. */
    ofIntent: (intentId: string, timeoutMs: number) =>
      asking(timeoutMs, async () => {
        const query = { payment_intent: intentId, limit: pageSize };
        const charges = await stripe.charges.list(query, once(timeoutMs / 2));
        const refunds = await stripe.refunds.list(query, once(timeoutMs / 2));
        return {
          charges: charges.data.filter(({ status }) => status === 'succeeded').map(chargeOf),
          refunds: refunds.data.filter(isKept).map(refundOf),
        };
      }),

    /** The refunds of one charge, as they are now. */
    refundsOf: (chargeId: string, timeoutMs: number) =>
      asking(timeoutMs, async () => {
        const refunds = await stripe.refunds.list({ charge: chargeId, limit: pageSize }, once(timeoutMs));
        return refunds.data.filter(isKept).map(refundOf);
      }),
  };
}

interface Listed {
  id: string;
  amount: number;
  created: number;
  payment_intent: string | { id: string } | null;
}

const nextOf = (data: readonly Listed[], isMore: boolean): string | null =>
  isMore ? (data.at(-1)?.id ?? null) : null;

const isKept = ({ status }: { status: string | null }): boolean =>
  status !== 'failed' && status !== 'canceled';

const idOf = (object: string | { id: string } | null): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

const chargeOf = ({ id, amount, created, payment_intent: intent }: Listed) => ({
  id,
  cents: amount,
  at: new Date(created * 1000),
  intentId: idOf(intent),
});

const refundOf = ({ charge, ...refund }: Listed & { charge: string | { id: string } | null }) => ({
  ...chargeOf(refund),
  chargeId: idOf(charge),
});
