import { chooser, isSure } from './choices.js';
import {
  area,
  input,
  pharmacyField,
  readChoice,
  readDay,
  readNumber,
  readRecipient,
  recipientFields,
  tick,
} from './fields.js';
import { button, el, failed, folded, said } from './page.js';
import { call } from './session.js';
import { addressOf, labels, newAddress, pharmacyOf } from './words.js';

/** The answers of a work item: the chosen one opens its effect and its fields. */
export function answersOf(item, { effects, context, again }) {
  const form = el('form', { class: 'answer' });
  const redraw = () => again(form);
  const options = item.answers.map((name) => {
    const effect = effects[name];
    return {
      name,
      build: () => [
        el('p', {}, effect),
        ...fieldsOf(item, name, context),
        input('note', 'Note (kept with the answer)', { maxlength: '2000' }),
        button(
          'Send answer',
          (event) => give(form, event.target, { item, name, effect, context, again: redraw }).catch(failed),
          { class: 'first' },
        ),
      ],
    };
  });
  form.append(
    el('h3', {}, 'Answer'),
    ...chooser(form, 'Answers', options),
    folded(
      'Not now: put it off, or write a note',
      el(
        'div',
        { class: 'filters' },
        button('In an hour', () => snooze(item, 1, redraw)),
        button('Tomorrow', () => snooze(item, 24, redraw)),
      ),
      input('ownNote', 'Note', { maxlength: '2000' }),
      button('Save the note', () => note(item, form, redraw)),
    ),
  );
  return form;
}

function fieldsOf(item, answer, context) {
  const takesText = item.kind === 'pharmacy_hold' && ['proceed', 'change', 'decline'].includes(answer);
  return [
    ...(answer === 'reroute' ? [pharmacyField()] : []),
    ...(answer === 'decide' ? [input('phase', labels.phase, { inputmode: 'numeric' })] : []),
    ...(answer === 'renew' ? [input('prescribedUntil', labels.prescribedUntil, { type: 'date' })] : []),
    ...(answer === 'change' ? changeFields(context) : []),
    ...(takesText ? [area('text', '2000')] : []),
  ];
}
const now = (value) => (value ? ` (now ${value})` : '');
const changeFields = ({ directions, quantity, daysSupply, shipTo }) => [
  input('sig', `${labels.sig}${now(directions)}`, { maxlength: '500' }),
  input('quantity', `${labels.quantity}${now(quantity)}`, { inputmode: 'decimal' }),
  input('daysSupply', `${labels.daysSupply}${now(daysSupply)}`, { inputmode: 'numeric' }),
  tick('onceOnly', 'For this order only'),
  recipientFields(shipTo),
];

function dataOf(given, answer, { shipTo: known }) {
  if (answer === 'reroute') return { pharmacy: readChoice(given, 'pharmacy') };
  if (answer === 'decide') return { phase: readNumber(given, 'phase', { whole: true }) };
  if (answer === 'renew') return { prescribedUntil: readDay(given, 'prescribedUntil') };
  const text = given.get('text') ? { text: given.get('text') } : {};
  if (answer !== 'change') return text.text ? text : undefined;
  const changes = {};
  if (given.get('sig')) changes.sig = given.get('sig');
  if (given.get('quantity')) changes.quantity = readNumber(given, 'quantity');
  if (given.get('daysSupply')) changes.daysSupply = readNumber(given, 'daysSupply', { whole: true });
  const shipTo = readRecipient(given, known);
  if (shipTo) changes.shipTo = shipTo;
  if (Object.keys(changes).length === 0) throw new Error('Write what changes first.');
  if (given.get('onceOnly')) changes.onceOnly = true;
  return { changes, ...text };
}

async function give(form, sender, { item, name, effect, context, again }) {
  const given = new FormData(form);
  const data = dataOf(given, name, context);
  const written = given.get('note');
  const to = data?.changes?.shipTo;
  const chosen = [
    ['Pharmacy', data?.pharmacy && pharmacyOf(data.pharmacy)],
    [newAddress, to && `${to.firstName} ${to.lastName}, ${addressOf(to)}`],
  ];
  if (!(await isSure({ name, effect, given: chosen }))) return sender.focus();
  form.inert = true;
  try {
    said('On its way …');
    const { workItem } = await call(`/v1/work-items/${item.id}/answer`, {
      body: { answer: name, ...(written ? { note: written } : {}), ...(data ? { data } : {}) },
    });
    said(workItem.state === 'closed' ? 'Done.' : 'Accepted; it continues by itself.');
    await again();
  } catch (error) {
    failed(error);
    // Keeps the form, unless the item is closed.
    const now = await call(`/v1/work-items/${item.id}`).catch(() => undefined);
    if (now?.workItem.state === 'closed') await again();
  } finally {
    form.inert = false;
    sender.focus();
  }
}
const snooze = (item, hours, again) =>
  call(`/v1/work-items/${item.id}/snooze`, {
    body: { until: new Date(Date.now() + hours * 3_600_000).toISOString() },
  })
    .then(() => said('Put off.'))
    .catch(failed)
    .finally(again);
function note(item, form, again) {
  const text = new FormData(form).get('ownNote');
  if (!text) return said('Write a note first.', true);
  call(`/v1/work-items/${item.id}/note`, { body: { note: text } })
    .then(() => {
      said('Noted.');
      return again();
    })
    .catch(failed);
}
