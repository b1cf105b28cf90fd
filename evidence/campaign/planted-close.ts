import type { CloseLine } from './closes.js';
import { type Evidence, ordersOf, type Plant } from './records.js';

const chargeOf = ({ books, cases }: Evidence, index: number) =>
  books.charges.find(({ metadata }) => metadata['task_id'] === cases[index]!.reference)!;
const lineOf = ({ closed, cases }: Evidence, index: number): CloseLine =>
  closed!.lines.find(({ reference }) => reference === cases[index]!.reference)!;

/** Faults to plant into the books of a good approval, or into what its close says. The judge of closes must find each. */
export const plantsOfClose: Record<string, Plant> = {
  'an order without its charge': (evidence, index) => {
    const charge = chargeOf(evidence, index);
    evidence.books.charges = evidence.books.charges.filter((one) => one !== charge);
  },
  'a charge without its order': ({ books, cases }, index) => {
    const orders = ordersOf(cases[index]!, books);
    books.orders = books.orders.filter((order) => !orders.includes(order));
  },
  'a charge of another amount': (evidence, index) => (chargeOf(evidence, index).amountCents += 1),
  'a second charge': (evidence, index) =>
    evidence.books.charges.push({ ...chargeOf(evidence, index), id: 'planted' }),
  'a charge of nobody': (evidence, index) =>
    evidence.books.charges.push({ ...chargeOf(evidence, index), id: 'planted', metadata: {} }),
  'a refund that nobody made': (evidence, index) =>
    evidence.books.refunds.push({ ...chargeOf(evidence, index), amountCents: 1 }),
  'a label of nobody': ({ books }) => {
    const label = books.calls.find(({ target, made }) => target === 'shipping' && made);
    books.calls.push({ ...books.calls[0]!, ...label, target: 'shipping', about: 'planted', made: 'planted' });
  },
  'an order that was cancelled': ({ books, cases }, index) => {
    const cancelled = { status: 'cancelled', at: new Date().toISOString() };
    for (const order of ordersOf(cases[index]!, books)) order.moves = [...order.moves, cancelled];
  },
  'no line of an order': (evidence, index) => {
    const { closed } = evidence;
    const line = lineOf(evidence, index);
    closed!.lines = closed!.lines.filter((one) => one !== line);
  },
  'a line again': (evidence, index) => evidence.closed!.lines.push(lineOf(evidence, index)),
  'a line of nobody': (evidence, index) =>
    evidence.closed!.lines.push({ ...lineOf(evidence, index), reference: 'planted' }),
  'a difference that is none': (evidence, index) =>
    Object.assign(lineOf(evidence, index), { state: 'difference', kind: 'charge_amount', because: null }),
  'an explanation that is none': (evidence, index) =>
    Object.assign(lineOf(evidence, index), {
      state: 'explained',
      kind: 'order_without_charge',
      because: 'waived',
    }),
  'a cent too little': ({ closed }) => (closed!.totals.chargedCents -= 1),
};
