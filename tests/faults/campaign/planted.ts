import { type Evidence, type Finding, judge } from './judge.js';

/** What a judge that sees nothing would let pass: each put into a copy of the books of a good case. */
const plants: Record<string, (evidence: Evidence, index: number) => void> = {
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
      books.calls.push({ ...common, key: null, status: 201, fault: null, at: '', made });
  },
  'a second mail': ({ books, cases }, index) => {
    const { email: to } = cases[index]!.patient;
    for (const id of ['planted-1', 'planted-2']) books.mails.push({ to, subject: 'planted', id });
  },
  'no mail': ({ books, cases }, index) => {
    books.mails = books.mails.filter(({ to }) => to !== cases[index]?.patient.email);
  },
  'a run without an end': ({ cases }, index) => (cases[index]!.status = null),
  'answers that differ': ({ cases }, index) => (cases[index]!.unequal = 1),
  'a failure that nothing outside explains': ({ cases, harms }, index) => {
    harms.done = [];
    Object.assign(cases[index]!, { warnings: ['medication_config'] });
  },
  'a process that ended': ({ harms }) => harms.endedByThemselves.push({ name: 'planted', atMs: 0 }),
};

const isOf = (submissionId?: string) => (order: { body: Record<string, unknown> }) =>
  [order.body['externalId'], order.body['reference']].includes(submissionId);

/** Plants each fault alone. @returns the names of those that the judge does not find; all of them where no case is good */
export function missedPlants(
  evidence: Evidence,
  found: readonly Finding[],
): { planted: number; missed: string[] } {
  const blamed = new Set(found.map(({ about }) => about));
  const index = evidence.cases.findIndex(
    ({ kind, status, warnings, reference }) =>
      kind === 'approve' && status === 'completed' && warnings.length === 0 && !blamed.has(reference),
  );
  const names = Object.keys(plants);
  const missed = names.filter((name) => {
    if (index < 0) return true;
    const copy = structuredClone({
      ...{ cases: evidence.cases, books: evidence.books, sinceMs: evidence.sinceMs },
      harms: { done: evidence.harms.done, endedByThemselves: evidence.harms.endedByThemselves },
    });
    plants[name]?.(copy, index);
    return judge(copy).length <= found.length;
  });
  return { planted: names.length, missed };
}
