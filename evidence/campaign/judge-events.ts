import { chargesOf, type Class, type Evidence, ordersOf, referencesOf } from './records.js';
import type { Case } from './stories.js';

/** An event as the reader of the client has it. */
export interface ToldEvent {
  sequence: number;
  type: string;
  taskId: string | null;
  data: Record<string, unknown>;
}

const withoutEvents: readonly string[] = ['submit', 'intake', 'create'];

/**
 * The reader of events has every event once and in order, by push or cursor, and each was pushed (D130). They say what the
 * records of the external services say (D129).
 */
export function judgeEvents(
  { cases, books }: Evidence,
  find: (kind: Class, what: string, about: string) => void,
): void {
  const { after, told, acknowledged } = books.events;
  for (const [index, { sequence }] of told.entries()) {
    const last = told[index - 1]?.sequence ?? after;
    if (sequence > last + 1) find('lost', 'an event at the reader', String(last + 1));
    if (sequence <= last) find('out of order', 'an event at the reader', String(sequence));
    if (!acknowledged.has(sequence)) find('lost', 'a push of an event', String(sequence));
  }
  const placed = new Set(
    books.orders.flatMap(({ body }) => [body['externalId'], body['reference']].map(String)),
  );
  for (const { type, data, taskId } of told)
    if (type === 'order.submitted' && !placed.has(String(data['submissionId'])))
      find('twice', 'an event of an order that no pharmacy has', String(taskId));
  for (const known of cases)
    if (!withoutEvents.includes(known.kind) && known.status === 'completed' && !known.cancelled)
      judgeTold(known, { books }, (kind, what) => find(kind, what, known.reference));
}

function judgeTold(
  known: Case,
  { books }: Pick<Evidence, 'books'>,
  find: (kind: Class, what: string) => void,
): void {
  const once = (what: string, count: number, expected = 1) => {
    if (count < expected) find('lost', `the event of ${what}`);
    if (count > expected) find('twice', `the event of ${what}`);
  };
  const { told } = books.events;
  const taskId = known.reference.replace(/^(refill-.+)-\d+$/, '$1');
  const own = (...types: string[]) =>
    told.filter((event) => event.taskId === taskId && types.includes(event.type));
  once('the end', own('approval.completed', 'refill.sent').length);
  for (const one of referencesOf(known)) {
    const events = own('order.submitted').filter(({ data }) => data['submissionId'] === one.submissionId);
    if (ordersOf(one, books).length > 0) once('an order', events.length);
  }
  if (known.warnings.length > 0) return;
  const charges = referencesOf(known).flatMap((one) => chargesOf(one, books));
  once('the charge', own('payment.succeeded').length, charges.length);
}
