/** Something that happened, as its consumers are told of it (D73). */
export interface EventEnvelope {
  /** The outbox row's id, and the token by which a consumer knows a repeat. */
  id: string;
  source: string;
  detailType: string;
  /** ISO 8601. */
  time: string;
  organizationId: string | null;
  detail: unknown;
}

/** Ends the tokens issued before it, in every service that takes them (D72). */
const sessionEvents = ['admin.membership_revoked', 'admin.user_suspended', 'admin.user_signed_out'] as const;

/** How the ids begin of the runs that deliver events: the only runs in which two services meet (ADR 15). */
export const eventsRunPrefix = 'events:';

/** Something has changed for a charge that has failed: its run is to look at it (D107). */
export const paymentRecoveryDue = 'payment.recovery_due';

/** Who hears of what: the one table of consumers (page 3, Events; D73). */
export const subscriptions = {
  notification: ['admin.user_invited', 'admin.sign_in_locked', 'organization.created', ...sessionEvents],
  /** What it writes to the EMR after its answer. */
  intake: ['intake.contact_confirmed', ...sessionEvents],
  patients: [
    'organization.created',
    'organization.updated',
    'organization.suspended',
    'organization.archived',
    ...sessionEvents,
  ],
  /** The hostnames that its own domain verifier watches. */
  organization: ['organization.custom_domain_registered', 'organization.custom_domain_deactivated'],
  bridge: ['patient.archived', ...sessionEvents],
  /** The last tells itself which unpaid charge to look after. */
  orchestrator: [
    'emr.medication_request.activated',
    'intake.payment_profile_saved',
    'order.settled',
    'order.reroute_asked',
    paymentRecoveryDue,
  ],
  router: ['emr.medication_dispense.completed'],
  /** What waits for a person, wherever (D109). */
  worklist: ['work_item.opened', 'work_item.closed', ...sessionEvents],
} as const;

export type EventSubscriber = keyof typeof subscriptions;
/** The types of events that a subscriber has to have an answer to. */
export type SubscribedType<S extends EventSubscriber> = (typeof subscriptions)[S][number];
/** A subscriber, or the one place outside that is told of everything. */
export type EventConsumer = EventSubscriber | 'sink';

/** Services whose events concern the outside too; the intake gateway publishes none there (page 2, Events). */
const toldOutside: readonly string[] = ['organization', 'patients', 'bridge'];

/** The router's own note that a callback waits: for its deliverer, not for consumers. */
export const callbackQueued = 'callback.queued';
/** That a cancellation is pending, or has been settled by the pharmacy's own word: for the run that asks. */
export const cancellationPending = 'cancellation.pending';

/** That a hold was opened, answered or released: for the run that follows it. */
export const holdChanged = 'hold.changed';
/** The router's own note that nobody knows whether an order exists: for the run that asks the pharmacy. */
export const orderUnknown = 'order.unknown';

/** Of what waits for a person only our own people are told (D109). */
const isInternal = (detailType: string): boolean => detailType.startsWith('work_item.');

/** Lists the consumers that an event is delivered to. */
export function consumersOf({
  source,
  detailType,
}: Pick<EventEnvelope, 'source' | 'detailType'>): EventConsumer[] {
  const subscribers = (Object.keys(subscriptions) as EventSubscriber[]).filter((subscriber) =>
    (subscriptions[subscriber] as readonly string[]).includes(detailType),
  );
  return toldOutside.includes(source) && !isInternal(detailType) ? [...subscribers, 'sink'] : subscribers;
}

/** Whether a type is among those that the outside is told of: `patient.archived`, or `patient.*`; no list is all. */
export const isOneOf = (types: readonly string[], detailType: string): boolean =>
  types.length === 0 ||
  types.some((type) =>
    type.endsWith('.*') ? detailType.startsWith(type.slice(0, -1)) : type === detailType,
  );

/** Goes with a failed attempt: the consumer has answered that it does not take the event, which may pass. */
export const consumerRefused = 'refused';

const shortestPauseMs = 1_000;
const longestPauseMs = 10 * 60_000;
/** A delivery is given up when this much time has passed since its first attempt, as a callback is. */
const patienceMs = 72 * 60 * 60_000;

/** An event that has not reached a consumer. Times are epoch milliseconds. */
export interface NextDelivery {
  event: EventEnvelope;
  attempts: number;
  firstAttemptAt: number | null;
  dueAt: number | null;
  lastError: string | null;
}

/** What becomes of a delivery: dead ones hold up their aggregate, for this consumer only, until they are driven again. */
export type DeliveryVerdict =
  | { state: 'delivered' }
  | { state: 'dead'; error: string }
  | { state: 'pending'; error: string; dueAt: number };

/**
 * What becomes of a delivery after an attempt that failed. Times are epoch milliseconds.
 * @param attempts made so far, this one included
 * @param isRefused the consumer will never take it
 */
export function judgeFailedDelivery(attempt: {
  error: string;
  isRefused: boolean;
  attempts: number;
  firstAttemptAt: number;
  now: number;
}): DeliveryVerdict {
  const { error, isRefused, attempts, firstAttemptAt, now } = attempt;
  if (isRefused || now >= firstAttemptAt + patienceMs) return { state: 'dead', error };
  const pauseMs = Math.min(longestPauseMs, shortestPauseMs * 2 ** (attempts - 1));
  return { state: 'pending', error, dueAt: now + pauseMs };
}
