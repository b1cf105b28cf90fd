import type { DeskOrder } from '../../integrations/worklist/orders.js';
import { dollars, endOf, refundOf } from './effects.js';
import type { KnownContext } from './item-context.js';

export const orderActionNames = [
  'cancel',
  'reroute',
  'replace',
  'refund',
  'charge_again',
  'send_again',
  'skip',
  'move',
  'ship_to',
  'pause',
  'resume',
  'stop_refills',
] as const;
export type OrderActionName = (typeof orderActionNames)[number];

export interface OrderAction {
  action: OrderActionName;
  title: string;
  effect: string;
  /** The fields that it needs: `note`, or those of `data`. */
  needs: string[];
  allowed: boolean;
  /** Why it is not allowed. */
  why: string | null;
}

const noOrder = 'There is no order to cancel';

/**
 * Lists the actions of an order, their effects, and why some are not allowed now (D135).
 * @param lastMessage the last message to the patient; null for none, undefined if it is unknown
 */
export function actionsOf(
  order: DeskOrder,
  { leftCents, refillsLeft, order: known }: KnownContext,
  lastMessage: string | null | undefined,
): OrderAction[] {
  const { payment, refills, status, failedStep } = order;
  const pharmacy = order.pharmacy ?? 'the pharmacy';
  const left = payment?.leftCents ?? 0;
  const action = (
    name: OrderActionName,
    title: string,
    effect: string,
    why: string | null,
    needs: string[] = [],
  ): OrderAction => ({ action: name, title, effect, needs, allowed: why === null, why });

  const hasShipped = known?.status === 'shipped' || known?.status === 'delivered';
  const held = order.heldBecause ?? (status === 'denied' ? 'Task was denied' : null);
  // A run that failed before step 4 has placed no order. One that was rejected there can still be moved.
  const hasNoOrder =
    status === null || (status === 'failed' && failedStep !== null && failedStep !== 'pharmacy_submission');
  const withoutOrder = (text: string) => held ?? (hasNoOrder ? text : null);
  const date = refills?.nextFillDate ?? '';
  const count = (refills?.totalRefillsAllowed ?? 0) - (refills?.refillsSent ?? 0);

  return [
    action(
      'cancel',
      'Cancel the order',
      [`Asks ${pharmacy} to cancel the order.`, refundOf(leftCents), endOf(refillsLeft)]
        .filter(Boolean)
        .join(' '),
      withoutOrder(noOrder) ?? (order.isRejected ? noOrder : null),
      ['note'],
    ),
    action(
      'reroute',
      'Change pharmacy or address',
      [
        `Cancels the order at ${pharmacy} and orders at the pharmacy that you choose, to another address in the same state if you give one.`,
        `Nothing is charged again.${refillsLeft ? ' Refills keep their own address.' : ''}`,
      ].join(' '),
      withoutOrder('There is no order to move') ?? (hasShipped ? 'The order has shipped' : null),
      ['pharmacy'],
    ),
    action(
      'replace',
      'Send a replacement',
      `Orders the same prescription again. The patient is charged only if you say that the patient pays.`,
      replaceable(),
      ['reason', 'paidBy'],
    ),
    action(
      'refund',
      'Refund',
      `Refunds a part, or all of ${dollars(left)}. The order and its refills stay.`,
      left > 0 ? null : 'Nothing to refund',
      ['note'],
    ),
    action(
      'charge_again',
      'Charge again',
      `Charges ${dollars(payment?.amountCents ?? 0)} to the saved card again.`,
      chargeable(),
    ),
    action(
      'send_again',
      'Send the last message again',
      `Sends the patient the last message${lastMessage ? ` (${lastMessage})` : ''} once more, to the contact that the EMR has now. Nothing else changes.`,
      lastMessage === null ? 'The patient was told nothing yet' : null,
    ),
    action(
      'skip',
      'Skip the next refill',
      `Leaves out the refill of ${date}. The next one is due a supply later.`,
      changeable(),
    ),
    action(
      'move',
      'Move the next refill',
      `Moves the refill of ${date} to the day that you choose, ${refills?.earliestFillDate ?? ''} at the earliest.`,
      changeable(),
      ['nextFillDate'],
    ),
    action(
      'ship_to',
      'Send refills to another address',
      'Sends the next refill, or as many as you say, to the address that you give. An order that is placed keeps its address.',
      changeable(),
      ['shipTo'],
    ),
    action(
      'pause',
      'Pause the refills',
      'Sends no refill until somebody resumes them.',
      ofStatus(['active']),
    ),
    action(
      'resume',
      'Resume the refills',
      `Sends refills again. The next one is due on ${date}, or today if that day has passed.`,
      ofStatus(['paused']),
    ),
    action(
      'stop_refills',
      'End the refills',
      `Ends the refills for good: ${count} ${count === 1 ? 'is' : 'are'} left. The order stays.`,
      ofStatus(['active', 'paused']),
    ),
  ];

  function replaceable(): string | null {
    const last = order.replacements.at(-1);
    const isOver = !last || ['delivered', 'cancelled', 'rejected'].includes(last.state);
    // While the router is away, the route decides.
    const isKnown = order.submissionId === null || known !== null;
    if (held !== null) return held;
    if (isKnown && !hasShipped) return 'The order has not shipped';
    return isOver ? null : 'A replacement is under way';
  }

  function chargeable(): string | null {
    if (!payment) return 'Nothing was charged';
    if (payment.status !== 'failed') return `Payment is ${payment.status}`;
    return order.heldBecause ?? (order.isChargingOver ? 'The charge was waived' : null);
  }

  function ofStatus(statuses: string[]): string | null {
    if (!refills) return 'There are no refills';
    return statuses.includes(refills.status) ? null : `Schedule is ${refills.status}`;
  }

  function changeable(): string | null {
    return ofStatus(['active', 'paused']) ?? (order.isRefillUnderWay ? 'A refill is under way' : null);
  }
}

/** The route of an action and its body: the note is the reason there. Nothing in `data` names another task. */
export function callOf(
  action: OrderActionName,
  { taskId, refills }: Pick<DeskOrder, 'taskId' | 'refills'>,
  { data, note, by }: { data: Readonly<Record<string, unknown>>; note: string | undefined; by: string },
): { path: string; body: Record<string, unknown> } {
  const noted = (name: 'reason' | 'note') => (note === undefined ? {} : { [name]: note });
  const person = { onBehalfOf: by };
  const ofTask = (path: string, more: object) => ({
    path: `/orchestrator/${path}`,
    body: { ...data, ...more, taskId, ...person },
  });
  const ofSchedule = (name: string, body: object) => ({
    path: `/orchestrator/refill-schedules/${refills?.id ?? ''}/${name}`,
    body: { ...body, ...person },
  });
  switch (action) {
    case 'cancel':
      return ofTask('cancel', noted('reason'));
    case 'reroute':
      return ofTask('reroute', {});
    case 'replace':
      return ofTask('replacements', noted('note'));
    case 'refund':
      return ofTask('refunds', noted('reason'));
    case 'charge_again':
      return { path: `/orchestrator/payments/${encodeURIComponent(taskId)}/retry`, body: person };
    case 'send_again':
      return ofTask('send-again', {});
    case 'skip':
      return ofSchedule('skip', { ...data, ...noted('reason') });
    case 'move':
      return ofSchedule('move', data);
    case 'ship_to':
      return ofSchedule('ship-to', data);
    case 'pause':
    case 'resume':
      return ofSchedule(action, {});
    case 'stop_refills':
      return ofSchedule('cancel', {});
  }
}
