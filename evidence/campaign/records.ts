import type { Books, Call } from './books.js';
import type { Closed } from './closes.js';
import type { Harms } from './harms.js';
import type { Case, Reference } from './stories.js';

export const classes = [
  'lost',
  'twice',
  'out of order',
  'stuck',
  'wrong amount',
  'wrong patient',
  'wrong address',
  'unequal answers',
  'ended by itself',
  'our own outage',
  'untrue warning',
  'unlike the close',
] as const;
export type Class = (typeof classes)[number];

export interface Finding {
  class: Class;
  what: string;
  about: string;
}

export type Find = (kind: Class, what: string) => void;

/** The records of external services and the knowledge of clients. The judge reads nothing of ours. */
export interface Evidence {
  cases: Case[];
  books: Books;
  harms: Pick<Harms, 'partiesAway' | 'endedByThemselves'>;
  /** Once the days are closed. */
  closed?: Closed | undefined;
  /** Earlier records of the services do not belong to these clients. */
  sinceMs: number;
}

/** Plants a fault into the records of a case. */
export type Plant = (evidence: Evidence, index: number) => void;

/** The development catalog and its price list. */
export const priceCents = 29_900;
/** Fewer bad answers than this use up no retry budget; steps 5 and 6 count them and need three. */
export const badAnswersOfABudget = 2;

export const ordersOf = ({ submissionId }: Reference, { orders }: Books) =>
  orders.filter(({ body }) => [body['externalId'], body['reference']].includes(submissionId));
export const chargesOf = ({ reference }: Reference, { charges }: Books) =>
  charges.filter(({ metadata }) => metadata['task_id'] === reference);
const isBad = ({ status, fault }: Call) =>
  status === null || status >= 429 || fault === 'lost-answer' || fault === 'drop';

/** The calls of a case at a service with their results, oldest first: where to start looking. */
export const callsAbout = (known: Case, { calls }: Books, targets: readonly string[]): string =>
  calls
    .filter(({ target, about, path }) => targets.includes(target) && concerns(known, about, path))
    .sort((one, other) => one.at.localeCompare(other.at))
    .map(({ operation, status, fault, at }) => `${at} ${operation} ${status ?? '-'} ${fault ?? ''}`.trim())
    .join(', ');

/** True if a call is about a case. */
export const concerns = (known: Case, about: string, path: string): boolean =>
  [known.patient.email, known.patient.phone].includes(about) ||
  referencesOf(known).some(({ submissionId, reference }) => [submissionId, reference].includes(about)) ||
  [known.patient.id, known.patient.customer].some((id) => path.includes(id));

/** True if the pharmacy has never heard of it. */
export const wasLost = (order: Books['orders'][number]): boolean =>
  (order as { forgotten?: boolean }).forgotten === true;

/** The number of bad answers that a service gave to a case. */
export const badCalls = (known: Case, { calls }: Books, target: string): number =>
  calls.filter((call) => call.target === target && isBad(call) && concerns(known, call.about, call.path))
    .length;

/** True if they were down during a case, or came back in it. */
export const partiesWereAway = (
  { startedMs }: Case,
  { partiesAway }: Evidence['harms'],
  endedMs = Infinity,
): boolean => partiesAway.some(({ fromMs, untilMs }) => untilMs > startedMs - 1_000 && fromMs < endedMs);

/** A case's first order and those that may follow it. */
export const referencesOf = ({ reference, submissionId, later }: Case): Reference[] => [
  { reference, submissionId },
  ...later,
];

/** The records of an order at the shipping service, each once. @param parcel only those of this tracking number */
export const labelsOf = (
  { submissionId }: Reference,
  { calls }: Books,
  parcel?: string,
): Set<string | null> =>
  new Set(
    calls
      .filter(({ target, about, made }) => target === 'shipping' && about === submissionId && made)
      .filter((call) => parcel === undefined || call.parcel === parcel)
      .map(({ made }) => made),
  );
