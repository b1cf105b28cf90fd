import { judge } from './judge.js';
import type { ToldEvent } from './judge-events.js';
import { plantsOfCare } from './planted-care.js';
import { plantsOfClose } from './planted-close.js';
import type { Class, Evidence, Finding, Plant } from './records.js';
import type { Case } from './stories.js';

/** Faults to plant into a copy of a good approval's records, one at a time. The judge must find each. */
const inApprovals: Record<string, Plant> = {
  'a second order': ({ books, cases }, index) =>
    books.orders.push({ ...books.orders.find(isOf(cases[index]?.submissionId))!, orderId: 'planted' }),
  'no order': ({ books, cases }, index) => {
    books.orders = books.orders.filter((order) => !isOf(cases[index]?.submissionId)(order));
  },
  'an order of nobody': ({ books }) =>
    books.orders.push({ ...books.orders[0]!, body: { externalId: 'planted' } }),
  'an order for another patient': ({ books, cases }, index) => {
    const order = books.orders.find(isOf(cases[index]?.submissionId))!;
    order.body['patient'] = { lastName: 'Planted' };
  },
  'a second charge': ({ books, cases }, index) =>
    books.charges.push({
      ...books.charges.find(({ metadata }) => metadata['task_id'] === cases[index]?.reference)!,
    }),
  'no charge': ({ books, cases }, index) => {
    books.charges = books.charges.filter(({ metadata }) => metadata['task_id'] !== cases[index]?.reference);
  },
  'a charge of nobody': ({ books }) =>
    books.charges.push({ ...books.charges[0]!, metadata: { task_id: 'planted' } }),
  'a cent too much': ({ books, cases }, index) => {
    books.charges.find(({ metadata }) => metadata['task_id'] === cases[index]?.reference)!.amountCents += 1;
  },
  'a charge of another customer': ({ books, cases }, index) => {
    books.charges.find(({ metadata }) => metadata['task_id'] === cases[index]?.reference)!.customer =
      'planted';
  },
  'a charge before its order': ({ books, cases }, index) => {
    books.charges.find(({ metadata }) => metadata['task_id'] === cases[index]?.reference)!.at =
      '2001-01-01T00:00:00Z';
  },
  'money given back': ({ books, cases }, index) =>
    books.refunds.push({
      ...books.charges.find(({ metadata }) => metadata['task_id'] === cases[index]?.reference)!,
    }),
  'a second label': ({ books, cases }, index) => {
    const common = { target: 'shipping', operation: 'create', path: '', about: cases[index]!.submissionId };
    for (const made of ['planted-1', 'planted-2'])
      books.calls.push({
        ...common,
        key: null,
        status: 201,
        fault: null,
        at: '',
        made,
        parcel: null,
        sentTo: null,
      });
  },
  'a second mail': ({ books, cases }, index) => {
    const { email: to } = cases[index]!.patient;
    for (const id of ['planted-1', 'planted-2']) books.mails.push({ to, subject: 'planted', text: '', id });
  },
  'no mail': ({ books, cases, harms }, index) => {
    harms.partiesAway = [];
    books.mails = books.mails.filter(({ to }) => to !== cases[index]?.patient.email);
  },
  'no message': ({ books, cases }, index) => {
    books.mails = books.mails.filter(({ to }) => to !== cases[index]?.patient.email);
    books.texts = books.texts.filter(({ to }) => to !== cases[index]?.patient.phone);
  },
  'a run without an end': ({ cases }, index) => (cases[index]!.status = null),
  'answers that differ': ({ cases }, index) => (cases[index]!.unequal = 1),
  'a failure that nothing outside explains': ({ cases, harms }, index) => {
    harms.partiesAway = [];
    Object.assign(cases[index]!, { warnings: ['medication_config'] });
  },
  'an event that was not told': ({ books, cases }, index) => {
    const isEnd = eventOf(cases[index]!, 'approval.completed');
    const [end] = books.events.told.filter(isEnd);
    books.events.told = books.events.told
      .filter((event) => event !== end)
      .map((event) => (event.sequence > end!.sequence ? { ...event, sequence: event.sequence - 1 } : event));
  },
  'an event that is missing between two others': ({ books, cases }, index) => {
    books.events.told = books.events.told.filter(
      (event) => !eventOf(cases[index]!, 'order.submitted')(event),
    );
  },
  'an event again': ({ books, cases }, index) =>
    books.events.told.push({ ...books.events.told.find(eventOf(cases[index]!, 'payment.succeeded'))! }),
  'an event that was never pushed': ({ books: { events } }) =>
    events.acknowledged.delete(events.told.at(-1)!.sequence),
  'two events the other way round': ({ books: { events } }) => events.told.reverse(),
  'an event of an order that nobody has': ({ books: { events } }) =>
    events.told.push({
      sequence: (events.told.at(-1)?.sequence ?? events.after) + 1,
      type: 'order.submitted',
      taskId: 'planted',
      data: { submissionId: 'planted' },
    }),
  'a process that ended': ({ harms }) => harms.endedByThemselves.push({ name: 'planted', atMs: 0 }),
};

const inSubmissions: Record<string, Plant> = {
  'a callback after the last': ({ books, cases }, index) =>
    books.callbacks.push({ submissionId: cases[index]!.submissionId, status: 'shipped' }),
  'no last callback': ({ books, cases }, index) => {
    books.callbacks = books.callbacks.filter(
      ({ submissionId, status }) => submissionId !== cases[index]!.submissionId || status !== 'delivered',
    );
  },
  'callbacks without the first': ({ books, cases }, index) => {
    books.callbacks = books.callbacks.filter(
      ({ submissionId, status }) => submissionId !== cases[index]!.submissionId || status !== 'submitted',
    );
  },
};

const inIntakes: Record<string, Plant> = {
  'a second patient in the EMR': ({ books, cases }, index) =>
    books.emr[cases[index]!.patient.email]!.push('planted'),
  'no patient in the EMR': ({ books, cases }, index) => {
    books.emr[cases[index]!.patient.email] = [];
  },
};

const inCancellations: Record<string, Plant> = {
  'no refund': ({ books, cases }, index) => {
    books.refunds = books.refunds.filter(({ metadata }) => metadata['task_id'] !== cases[index]!.reference);
  },
  'a cent too little given back': ({ books, cases }, index) => {
    books.refunds.find(({ metadata }) => metadata['task_id'] === cases[index]!.reference)!.amountCents -= 1;
  },
  'an order that was not taken back': ({ books, cases }, index) => {
    books.orders.find(isOf(cases[index]!.submissionId))!.moves = [];
  },
};

interface Kind {
  plants: Record<string, Plant>;
  isGood: (known: Case) => boolean;
  isInEverySlice: boolean;
  /** The class of the finding, if any other would not do. */
  expected?: Class;
}
const kinds: Kind[] = [
  {
    plants: inApprovals,
    isGood: ({ kind, warnings }) => kind === 'approve' && warnings.length === 0,
    isInEverySlice: true,
  },
  {
    plants: plantsOfClose,
    isGood: ({ kind, warnings }) => kind === 'approve' && warnings.length === 0,
    isInEverySlice: true,
    expected: 'unlike the close',
  },
  { plants: inSubmissions, isGood: ({ kind }) => kind === 'submit', isInEverySlice: false },
  { plants: inIntakes, isGood: ({ kind }) => kind === 'intake', isInEverySlice: false },
  {
    plants: inCancellations,
    isGood: ({ cancelled, warnings }) => cancelled && warnings.length === 0,
    isInEverySlice: false,
  },
  ...Object.entries(plantsOfCare).map(([kind, plants]) => ({
    plants,
    isGood: (known: Case) => known.kind === kind && known.warnings.length === 0 && known.asked,
    isInEverySlice: false,
  })),
];

const eventOf =
  ({ reference }: Case, type: string) =>
  (event: ToldEvent) =>
    event.taskId === reference && event.type === type;

const isOf = (submissionId?: string) => (order: { body: Record<string, unknown> }) =>
  [order.body['externalId'], order.body['reference']].includes(submissionId);

/**
 * Plants each fault alone in a good case.
 * @returns the names of those that the judge misses; all if no approval is good
 */
export function missedPlants(
  evidence: Evidence,
  found: readonly Finding[],
): { planted: number; missed: string[] } {
  const blamed = new Set(found.map(({ about }) => about));
  let planted = 0;
  const missed: string[] = [];
  for (const { plants, isGood, isInEverySlice, expected } of kinds) {
    const index = evidence.cases.findIndex(
      (known) => known.status === 'completed' && !blamed.has(known.reference) && isGood(known),
    );
    if (index < 0 && !isInEverySlice) continue;
    for (const [name, plant] of Object.entries(plants)) {
      planted += 1;
      if (index < 0 || !isSeen(evidence, found, (copy) => plant(copy, index), expected)) missed.push(name);
    }
  }
  return { planted, missed };
}

function isSeen(
  evidence: Evidence,
  found: readonly Finding[],
  plant: (copy: Evidence) => void,
  expected?: Class,
): boolean {
  const copy = structuredClone({
    cases: evidence.cases,
    books: evidence.books,
    sinceMs: evidence.sinceMs,
    closed: evidence.closed,
    harms: {
      partiesAway: evidence.harms.partiesAway,
      endedByThemselves: evidence.harms.endedByThemselves,
    },
  });
  plant(copy);
  const count = (all: readonly Finding[]) =>
    all.filter(({ class: kind }) => expected === undefined || kind === expected).length;
  return count(judge(copy)) > count(found);
}
