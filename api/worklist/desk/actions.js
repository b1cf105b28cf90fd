import { chooser, isSure } from './choices.js';
import {
  addressFields,
  input,
  pharmacyField,
  readAddress,
  readCents,
  readChoice,
  readDay,
  readNumber,
  select,
  tick,
} from './fields.js';
import { button, el, failed, folded, said } from './page.js';
import { call } from './session.js';
import { resultOf } from './results.js';
import { addressOf, dayOf, labels, money, newAddress, pharmacyOf, words } from './words.js';

/** The actions of an order (D135): the chosen one opens its effect and its fields. */
const reasons = {
  lost: 'Lost',
  damaged: 'Damaged',
  temperature: 'Too warm or too cold',
  returned: 'Returned',
  wrong_item: 'Wrong item',
};
const payers = { pharmacy: 'Pharmacy', carrier: 'Carrier', company: 'Us', patient: 'Patient' };

const anotherAddress = (shipTo) => folded('Another address', ...addressFields(shipTo));

/** The fields of an action beside the note, and its `data` as they are read. */
const actions = {
  cancel: {
    fields: ({ taskId }) =>
      taskId.startsWith('refill-') ? [tick('stopRefills', 'End all later refills too')] : [],
    read: (given) => (given.get('stopRefills') ? { stopRefills: true } : {}),
  },
  reroute: {
    fields: ({ pharmacy, shipTo }) => [pharmacyField(pharmacy), anotherAddress(shipTo)],
    read: (given, { shipTo: known }) => {
      const shipTo = readAddress(given, known);
      return { pharmacy: readChoice(given, 'pharmacy'), ...(shipTo ? { shipTo } : {}) };
    },
  },
  replace: {
    fields: ({ shipTo }) => [select('reason', reasons), select('paidBy', payers), anotherAddress(shipTo)],
    read: (given, { shipTo: known }) => {
      const shipTo = readAddress(given, known);
      return {
        reason: readChoice(given, 'reason'),
        paidBy: readChoice(given, 'paidBy'),
        ...(shipTo ? { shipTo } : {}),
      };
    },
  },
  refund: {
    fields: () => [
      input('amountCents', 'Amount in dollars (empty: all that is left)', { inputmode: 'decimal' }),
    ],
    read: (given) => {
      const amountCents = readCents(given, 'amountCents');
      return amountCents === undefined ? {} : { amountCents };
    },
  },
  move: {
    fields: () => [input('nextFillDate', labels.nextFillDate, { type: 'date' })],
    read: (given) => ({ nextFillDate: readDay(given, 'nextFillDate') }),
  },
  ship_to: {
    fields: ({ shipTo, refills }) => [
      refills?.shipTo ? tick('isHome', 'Back to the address in the medical record') : '',
      ...addressFields(refills?.shipTo ?? shipTo),
      input('fills', labels.fills, { inputmode: 'numeric', value: String(refills?.shipTo?.fillsLeft ?? 1) }),
    ],
    read: (given) => {
      if (given.get('isHome')) return { shipTo: null };
      const shipTo = readAddress(given);
      if (!shipTo) throw new Error('Write the address first.');
      return { shipTo, fills: readNumber(given, 'fills', { whole: true }) };
    },
  },
};
const plain = { fields: () => [], read: () => ({}) };

/** The reason of a cancellation goes further than the desk. */
const noteLabel = (name, needs) =>
  name === 'cancel'
    ? 'Note (needed; the pharmacy and the patient read it)'
    : needs.includes('note')
      ? 'Note (needed)'
      : 'Note';

/** The service keeps these answers under their key and would repeat them. */
const verdicts = ['order_rejected', 'not_delivered'];

/** The chosen values, as the dialog repeats them. */
const chosenOf = ({ pharmacy, reason, paidBy, amountCents, shipTo, nextFillDate, stopRefills }) => [
  [labels.pharmacy, pharmacy && pharmacyOf(pharmacy)],
  [labels.reason, reason && reasons[reason]],
  [labels.paidBy, paidBy && payers[paidBy]],
  [labels.amountCents, amountCents && money(amountCents)],
  [newAddress, shipTo === null ? 'the one in the medical record' : addressOf(shipTo)],
  [labels.nextFillDate, nextFillDate && dayOf(nextFillDate)],
  ['Later refills', stopRefills && 'end too'],
];

/** @param again draws the order anew after an action of the form, if that is still shown */
export function actionsOf({ taskId, client, pharmacy, shipTo, refills }, list, again) {
  const form = el('form', { class: 'act' });
  const about = { taskId, pharmacy, shipTo, refills };
  const options = list.map(({ action: name, title = words(name), effect, needs = [], allowed, why }) => ({
    name,
    title,
    ...(allowed ? {} : { why: why || 'Not possible now' }),
    build: () => {
      const { fields, read } = actions[name] ?? plain;
      // A second click is the same request, until the last one has failed for good.
      let key = crypto.randomUUID();
      const act = { name, title, effect, needs, taskId, client, read: (given) => read(given, about) };
      const send = (event) =>
        carryOut(form, event.target, { ...act, key }, () => again(form)).catch((error) => {
          if (verdicts.includes(error.code)) key = crypto.randomUUID();
          failed(error);
        });
      return [
        el('p', {}, effect),
        ...fields(about),
        input('note', noteLabel(name, needs), { maxlength: '500' }),
        button(title, send, { class: 'first' }),
      ];
    },
  }));
  const impossible = options.filter(({ why }) => why);
  form.append(
    ...chooser(
      form,
      'Actions',
      options.filter(({ why }) => !why),
    ),
    impossible.length > 0
      ? folded(
          `What is not possible now (${impossible.length})`,
          el('ul', {}, ...impossible.map(({ title, why }) => el('li', {}, `${title}: ${why}`))),
        )
      : '',
  );
  return form;
}

async function carryOut(form, sender, { name, title, effect, needs, key, taskId, client, read }, again) {
  const given = new FormData(form);
  const data = read(given);
  const note = String(given.get('note') ?? '').trim();
  if (needs.includes('note') && !note) throw new Error('Write a note first.');
  if (!(await isSure({ name, title, effect, given: chosenOf(data) }))) return sender.focus();
  form.inert = true;
  said('On its way …');
  try {
    const path = `/v1/orders/${encodeURIComponent(taskId)}/actions${client ? `?client=${client}` : ''}`;
    const done = await call(path, {
      headers: { 'idempotency-key': key },
      body: {
        action: name,
        ...(Object.keys(data).length > 0 ? { data } : {}),
        ...(note ? { note } : {}),
      },
    });
    // Said once the page is drawn anew, which closes what is open.
    await again();
    const { text, isBad } = resultOf(name, done);
    said(text, isBad);
  } finally {
    form.inert = false;
    sender.focus();
  }
}
