import type { DevJson } from '../../../dev/dev-json.js';
import { type Answer, call, mailboxOf, sandbox } from '../../helpers/client.js';
import { type Order, ordersUnder, submissionIdOf } from './approvals.js';

export interface CancelAnswer {
  success: true;
  taskId: string;
  cancellation: {
    state: string;
    reason: string | null;
    refundedCents: number;
    refillsCancelled: number;
    replacementsCancelled: number;
  };
  error: string;
  details: { path: string }[];
}
export const cancel = (dev: DevJson, body: unknown, key?: string): Promise<Answer<CancelAnswer>> =>
  call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/cancel', body, ...(key && { key }) });

export interface RerouteAnswer extends CancelAnswer {
  submissionId: string;
  pharmacy: string;
  reference: string;
}
export const reroute = (dev: DevJson, body: unknown, key?: string): Promise<Answer<RerouteAnswer>> =>
  call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/reroute', body, ...(key && { key }) });

/** An order as the pharmacy's ledger has it. */
export interface BookedOrder extends Order {
  at: string;
  moves: { status: string; at: string }[];
  holds: { id: string; state: string; answer: string | null }[];
}

/** The pharmacies' orders under a reference of ours. */
export const booked = async (dev: DevJson, reference: string): Promise<BookedOrder[]> =>
  (await ordersUnder(dev, submissionIdOf(dev, reference))) as BookedOrder[];

export const statusesOf = async (dev: DevJson, reference: string): Promise<string[]> =>
  (await booked(dev, reference)).flatMap(({ moves }) => moves.map(({ status }) => status));

/**
 * True if two orders of these references were ever live at once: one is from its placing to its cancellation. By the
 * pharmacies' one clock.
 */
export async function wereLiveAtOnce(dev: DevJson, references: readonly string[]): Promise<boolean> {
  const orders = (await Promise.all(references.map((reference) => booked(dev, reference)))).flat();
  const spans = orders
    .map(({ at, moves }) => ({
      from: Date.parse(at),
      to: Date.parse(moves.find(({ status }) => status === 'cancelled')?.at ?? '9999-01-01'),
    }))
    .sort((one, other) => one.from - other.from);
  return spans.some(({ to }, index) => spans.slice(index + 1).some(({ from }) => from < to));
}

/** Tells the sandbox what becomes of an order. @param what `status`, `cancellation` */
export const atPharmacy = (
  dev: DevJson,
  { pharmacy, orderId }: Pick<Order, 'pharmacy' | 'orderId'>,
  what: string,
  body: unknown,
) => sandbox(dev, `/pharmacies/${pharmacy}/orders/${orderId}/${what}`, { method: 'POST', body });

interface Refund {
  amountCents: number;
  status: string;
  idempotencyKey: string | null;
  metadata: Record<string, string>;
}
/** The processor's refunds for a task. */
export async function refundsOf(dev: DevJson, taskId: string): Promise<Refund[]> {
  const { refunds } = await sandbox<{ refunds: Refund[] }>(dev, '/refunds?limit=1000');
  return refunds.filter(({ metadata }) => metadata['task_id'] === taskId);
}

/** The mails of a patient that say that an order is cancelled. */
export async function cancelMails(dev: DevJson, { email }: { email: string }): Promise<{ text: string }[]> {
  const mails = await mailboxOf<{ subject: string; text: string }>(dev, email);
  return mails.filter(({ subject }) => /cancel/i.test(subject));
}
