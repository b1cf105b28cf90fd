import { concerns, type Evidence, ordersOf, type Plant } from './records.js';
import type { Case, Reference } from './stories.js';

const first = (known: Case): Reference => known;
/** The reference of a case's replacement or order again. */
const laterOf = ({ cases, books }: Evidence, index: number): Reference =>
  cases[index]!.later.find((one) => ordersOf(one, books).length > 0)!;
const lose = ({ books }: Evidence, one: Reference) => {
  const lost = ordersOf(one, books);
  books.orders = books.orders.filter((order) => !lost.includes(order));
};
const again = ({ books }: Evidence, one: Reference) =>
  books.orders.push({ ...ordersOf(one, books)[0]!, orderId: 'planted' });
const label = ({ books }: Evidence, one: Reference) => {
  const call = books.calls.find(({ about, made }) => about === one.submissionId && made)!;
  books.calls.push({ ...call, made: 'planted' });
};
const charge = ({ books, cases }: Evidence, index: number, { reference }: Reference) =>
  books.charges.push({
    ...books.charges.find(({ metadata }) => metadata['task_id'] === cases[index]!.reference)!,
    metadata: { task_id: reference },
    at: new Date().toISOString(),
  });
const isToldOf = (subject: string) => (mail: { subject: string }) => mail.subject === subject;
const mailAgain = ({ books, cases }: Evidence, index: number, isIt: (mail: Mail) => boolean) => {
  const { email } = cases[index]!.patient;
  const mail = books.mails.find((one) => one.to === email && isIt(one));
  // The patient may have had a text instead.
  for (const id of ['planted-1', 'planted-2'])
    books.mails.push({ to: email, subject: 'planted', text: '', ...mail, id });
};
type Mail = Evidence['books']['mails'][number];
/** As if no service had failed this case, so that nothing explains what is missing. */
const calm = ({ books, cases }: Evidence, index: number) => {
  const known = cases[index]!;
  known.startedMs = Infinity;
  for (const call of books.calls)
    if (concerns(known, call.about, call.path)) Object.assign(call, { status: 200, fault: null });
};
const noMail = (evidence: Evidence, index: number, isIt: (mail: Mail) => boolean) => {
  calm(evidence, index);
  const { email } = evidence.cases[index]!.patient;
  evidence.books.mails = evidence.books.mails.filter((one) => one.to !== email || !isIt(one));
};

const refill: Record<string, Plant> = {
  'a second order of a refill': (evidence, index) => again(evidence, first(evidence.cases[index]!)),
  'no order of a refill': (evidence, index) => lose(evidence, first(evidence.cases[index]!)),
  'a second charge of a refill': (evidence, index) => charge(evidence, index, first(evidence.cases[index]!)),
};

/** Faults to plant into a good case of each kind of story that follows an order or a refill. */
export const plantsOfCare: Partial<Record<Case['kind'], Record<string, Plant>>> = {
  mended: {
    ...refill,
    'a refill that stays failed': ({ cases }, index) => Object.assign(cases[index]!, { status: 'failed' }),
  },
  elsewhere: {
    ...refill,
    'an order for the old address': ({ books, cases }, index) => {
      for (const { body } of ordersOf(cases[index]!, books))
        for (const to of [body['shipTo'], body['shipping']])
          if (to) Object.assign(to, { line1: '18 Larch Lane', address1: '18 Larch Lane' });
    },
    'an order for the old state': ({ books, cases }, index) => {
      for (const { body } of ordersOf(cases[index]!, books))
        for (const to of [body['shipTo'], body['shipping']]) if (to) Object.assign(to, { state: 'CA' });
    },
  },
  replaced: {
    'a second replacement': (evidence, index) => again(evidence, laterOf(evidence, index)),
    'no replacement': (evidence, index) => lose(evidence, laterOf(evidence, index)),
    'a second label of the replacement': (evidence, index) => label(evidence, laterOf(evidence, index)),
    'no label of the replacement': (evidence, index) => {
      calm(evidence, index);
      const { submissionId } = laterOf(evidence, index);
      evidence.books.calls = evidence.books.calls.filter(({ about }) => about !== submissionId);
    },
    'a charge too many for the replacement': (evidence, index) => {
      // Not the patient's to pay, or paid twice.
      evidence.cases[index]!.isPatients = false;
      charge(evidence, index, laterOf(evidence, index));
    },
    'no charge for the replacement': (evidence, index) => {
      calm(evidence, index);
      evidence.cases[index]!.isPatients = true;
      const { reference } = laterOf(evidence, index);
      evidence.books.charges = evidence.books.charges.filter(
        ({ metadata }) => metadata['task_id'] !== reference,
      );
    },
    'a second mail of the replacement': (evidence, index) =>
      mailAgain(evidence, index, isToldOf('Your order was changed')),
    'no mail of the replacement': (evidence, index) =>
      noMail(evidence, index, isToldOf('Your order was changed')),
  },
  missing: {
    'two live orders': (evidence, index) => again(evidence, laterOf(evidence, index)),
    'the lost order, live after all': ({ books, cases }, index) => {
      for (const order of ordersOf(cases[index]!, books)) Object.assign(order, { forgotten: false });
    },
    'no order again': (evidence, index) => lose(evidence, laterOf(evidence, index)),
    'a second charge for the order again': (evidence, index) =>
      charge(evidence, index, first(evidence.cases[index]!)),
  },
  parcels: {
    'a second record of a parcel': (evidence, index) => {
      const { submissionId, parcels } = evidence.cases[index]!;
      const call = evidence.books.calls.find(
        ({ about, parcel, made }) => about === submissionId && parcel === parcels[1] && made,
      )!;
      evidence.books.calls.push({ ...call, made: 'planted' });
    },
    'no record of a parcel': (evidence, index) => {
      const { parcels } = evidence.cases[index]!;
      evidence.books.calls = evidence.books.calls.filter(({ parcel }) => parcel !== parcels[1]);
    },
    'a second mail of a parcel': (evidence, index) =>
      mailAgain(evidence, index, ({ text }) => text.includes(evidence.cases[index]!.parcels[1]!)),
    'no mail of a parcel': (evidence, index) =>
      noMail(evidence, index, ({ text }) => text.includes(evidence.cases[index]!.parcels[1]!)),
  },
};
