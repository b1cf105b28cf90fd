import type { Pharmacy } from './pharmacies.js';

/** An event as its consumers receive it (D73). */
export interface EventEnvelope {
  /** The outbox row's id, by which a consumer recognizes a repeat. */
  id: string;
  source: string;
  detailType: string;
  /** ISO 8601. */
  time: string;
  organizationId: string | null;
  detail: unknown;
}

/** Each of these ends the tokens issued before it, in every service that accepts them (D72). */
const sessionEvents = [
  'admin.membership_revoked',
  'admin.operator_revoked',
  'admin.user_suspended',
  'admin.user_signed_out',
] as const;

/** Prefix of the workflow ids of event deliveries, the only runs that two services share. */
export const eventsRunPrefix = 'events:';

/** Signals the dunning run of a failed charge that its row has changed (D107). */
export const paymentRecoveryDue = 'payment.recovery_due';

/** A charge succeeded after its task was cancelled, so it is refunded (D153). */
export const refundDue = 'payment.refund_due';
/** Internal to the orchestrator: a charge succeeded, or a refill is due soon, and the patient is notified (D121). */
export const chargeSucceeded = 'payment.succeeded';
export const refillNoticeDue = 'refill.notice_due';
/** Internal to the orchestrator: the erasure of its patient has cancelled a schedule (D94). */
export const scheduleErased = 'refill.schedule_erased';

/** Internal to the orchestrator: a plan has changed; a fill of it may be due (D126). */
export const planChanged = 'plan.changed';
/** Internal to the orchestrator: a patient is notified of a check-in that is due, or of another treatment (D127). */
export const planNoticeDue = 'plan.notice_due';
export const treatmentChanged = 'plan.treatment_changed';

/** The consumers and the events that each receives (page 3, Events; D73). */
export const subscriptions = {
  notification: ['admin.user_invited', 'admin.sign_in_locked', 'organization.created', ...sessionEvents],
  intake: ['intake.contact_confirmed', ...sessionEvents],
  patients: [
    'organization.created',
    'organization.updated',
    'organization.suspended',
    'organization.archived',
    ...sessionEvents,
  ],
  organization: ['organization.custom_domain_registered', 'organization.custom_domain_deactivated'],
  bridge: ['patient.archived', ...sessionEvents],
  orchestrator: [
    'emr.medication_request.activated',
    'emr.patient.updated',
    'patient.archived',
    'intake.payment_profile_saved',
    'order.settled',
    'order.missing',
    'order.reroute_asked',
    'order.shipped_after_cancel',
    'order.directions_changed',
    paymentRecoveryDue,
    refundDue,
    chargeSucceeded,
    refillNoticeDue,
    scheduleErased,
    planChanged,
    planNoticeDue,
    treatmentChanged,
  ],
  router: ['emr.medication_dispense.completed'],
  worklist: ['work_item.opened', 'work_item.closed', ...sessionEvents],
} as const;

export type EventSubscriber = keyof typeof subscriptions;
export type SubscribedType<S extends EventSubscriber> = (typeof subscriptions)[S][number];
/** A subscriber, or the external sink, which receives every public event. */
export type EventConsumer = EventSubscriber | 'sink';

/** Services whose events also go to the sink; the intake gateway publishes none there (page 2, Events). */
const publicSources: readonly string[] = ['organization', 'patients', 'bridge'];

/** Internal to the router: starts or signals the run that delivers callbacks. */
export const callbackQueued = 'callback.queued';
/** Internal to the orchestrator: the endpoint of a client has events to take, or was changed (D130). */
export const endpointDue = 'endpoint.due';

/** Internal to the router: a cancellation is pending, or the pharmacy's report has decided it. */
export const cancellationPending = 'cancellation.pending';

/** Internal to the router: a hold was opened, answered or released. */
export const holdChanged = 'hold.changed';
/** Internal to the router: the outcome of an order is unknown, so a run asks the pharmacy. */
export const orderUnknown = 'order.unknown';

/** Work items concern our own staff only (D109). */
const isInternal = (detailType: string): boolean => detailType.startsWith('work_item.');

export function consumersOf({
  source,
  detailType,
}: Pick<EventEnvelope, 'source' | 'detailType'>): EventConsumer[] {
  const subscribers = (Object.keys(subscriptions) as EventSubscriber[]).filter((subscriber) =>
    (subscriptions[subscriber] as readonly string[]).includes(detailType),
  );
  return publicSources.includes(source) && !isInternal(detailType) ? [...subscribers, 'sink'] : subscribers;
}

/** True if a list of types such as `patient.archived` or `patient.*` names the type. An empty list names all. */
export const isOneOf = (types: readonly string[], detailType: string): boolean =>
  types.length === 0 ||
  types.some((type) =>
    type.endsWith('.*') ? detailType.startsWith(type.slice(0, -1)) : type === detailType,
  );

/** Marks a failed attempt that the consumer rejected with a status that may change on a later try. */
export const consumerRefused = 'refused';

/** The detail of `intake.payment_profile_saved`: the card to charge, and the agreed price (D64). */
export interface PaymentProfileSaved {
  submissionId: string;
  emrPatientId: string;
  customerId: string;
  paymentMethodId: string;
  couponCode: string | null;
  planAmountCents: number;
  /** The intake type that the plan's price is for (D87). */
  intakeType: string | null;
  /** The intake proved its mailbox; a profile without proof replaces no other (D86). */
  emailProven: boolean;
  /** ISO 8601. The later of two profiles of a patient counts. */
  savedAt: string;
}

/**
 * The detail of `order.settled`: an order whose outcome was unknown (D21) exists, or does not (D114). Also that of
 * `order.missing`: the pharmacy does not have an order that it accepted (D138); its id stays.
 */
export interface OrderSettled {
  submissionId: string;
  clientId: string;
  sourceOrderId: string;
  pharmacy: string;
  /** null: there is no order. */
  pharmacyOrderId: string | null;
}

/** A person answered a pharmacy's hold with a move to another pharmacy (D109). */
export const orderRerouteAsked = 'order.reroute_asked';
export interface RerouteAsked {
  submissionId: string;
  sourceOrderId: string;
  pharmacy: Pharmacy;
  requestedBy: string;
}

/** A pharmacy sent an order of ours that it had cancelled (D155). */
export const orderShippedAfterCancel = 'order.shipped_after_cancel';
export interface ShippedAfterCancel {
  submissionId: string;
  sourceOrderId: string;
  status: 'shipped' | 'delivered';
}

/** A pharmacy accepted changed directions in the answer to a hold (D145); the router has them. */
export const directionsChanged = 'order.directions_changed';
export interface DirectionsChanged {
  submissionId: string;
  clientId: string;
  sourceOrderId: string;
  holdId: string;
}

const shortestPauseMs = 1_000;
const longestPauseMs = 10 * 60_000;
/** From its first attempt on, a delivery has this long to succeed, as a callback has. */
const patienceMs = 72 * 60 * 60_000;

/** An event that has not reached a consumer. Times are epoch milliseconds. */
export interface NextDelivery {
  event: EventEnvelope;
  attempts: number;
  firstAttemptAt: number | null;
  dueAt: number | null;
  lastError: string | null;
}

/** A dead delivery blocks its aggregate, for this consumer only, until an operator redrives it. */
export type DeliveryVerdict =
  | { state: 'delivered' }
  | { state: 'dead'; error: string }
  | { state: 'pending'; error: string; dueAt: number };

/**
 * Decides how a delivery continues after a failed attempt. Times are epoch milliseconds.
 * @param attempts made so far, this one included
 * @param isRefused the consumer will never accept the event
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
