import { actionsOf } from './actions.js';
import { isWriting, restoreDraft } from './draft.js';
import { $, asShown, backButton, button, el, facts, failed, fill, reveal } from './page.js';
import { go, isAt } from './route.js';
import { call } from './session.js';
import { entry, missingOf, storyOf } from './story.js';
import { addressOf, dayOf, money, pharmacyOf, words } from './words.js';

/** An order's page: who and what, where it is, what was paid, what comes next, its actions and its story (D135). */
let read = '';
let isShown = () => false;
/** After an action the order changes by itself; until then it is read again now and then. */
let watchedUntil = 0;
const watchedMs = 60_000;

export async function showOrder(where, { quietly = false } = {}) {
  const isStill = asShown();
  let order;
  try {
    order = await readOrder(where);
  } catch (error) {
    if (error.status !== 404 || !isStill()) throw error;
    fill(
      'item',
      backButton(),
      el('h2', {}, 'Nothing was found'),
      el('p', {}, 'No prescription has this number.'),
    );
    return reveal();
  }
  if (!isStill()) return;
  draw(where, order);
  if (!quietly) reveal();
}
function draw(where, order) {
  read = JSON.stringify(order);
  const { task, timeline, actions, history = [], missing, waiting, context = {} } = order;
  const { id: taskId, client } = where;
  fill(
    'item',
    backButton(),
    el('h2', {}, titleOf(task, context)),
    el('p', { class: 'about' }, `Order ${task.taskId}`),
    missingOf(missing),
    ...waiting.map((item) =>
      el(
        'p',
        { class: 'lead' },
        'Waits for an answer: ',
        button(item.title, () => go({ view: 'item', id: item.id })),
      ),
    ),
    el('div', { class: 'cards' }, ...cardsOf(task, context)),
    actions.length > 0 && el('h3', {}, 'What you can do'),
    actions.length > 0 &&
      actionsOf(
        { taskId, client, pharmacy: task.pharmacy, shipTo: context.shipTo, refills: task.refills },
        actions,
        (form) => again(where, form),
      ),
    history.length > 0 && el('h3', {}, 'What was done here'),
    history.length > 0 && el('ol', { class: 'entries' }, ...history.map((one) => doneHere(one, actions))),
    el('h3', {}, 'What happened'),
    ...storyOf(Array.isArray(timeline) ? timeline : (timeline?.entries ?? [])),
  );
  isShown = asShown();
  restoreDraft(where);
}
function doneHere({ at, actor, action, note }, actions) {
  const { title = words(action) } = actions.find((one) => one.action === action) ?? {};
  return entry(at, `${title}, asked for by ${actor}${note ? `: ${note}` : ''}`);
}
/** The order, and what waits for a person about it. */
async function readOrder({ id, client }) {
  const task = encodeURIComponent(id);
  const [order, { workItems }] = await Promise.all([
    call(`/v1/orders/${task}${client ? `?client=${client}` : ''}`),
    call(`/v1/work-items?state=open&taskId=${task}`),
  ]);
  return { ...order, waiting: workItems.filter(({ references }) => references.client === client) };
}

/** Draws the order anew if it has changed since, for a minute after an action. */
export async function refreshOrder(where) {
  if (Date.now() > watchedUntil || !isShown()) return;
  const order = await readOrder(where);
  if (isShown() && !isWriting() && JSON.stringify(order) !== read) draw(where, order);
}
async function again(where, form) {
  watchedUntil = Date.now() + watchedMs;
  if (!form.isConnected) return;
  await showOrder(where, { quietly: true }).catch(failed);
  if (isAt(where) && document.activeElement === document.body) $('item').focus({ preventScroll: true });
}

const titleOf = (task, { patient, medication }) =>
  [medication ?? task.medication ?? 'Prescription', patient?.name].filter(Boolean).join(' for ');

function cardsOf(task, { patient, directions, quantity, daysSupply, shipTo, ...context }) {
  const { tracking, payment, refills, plan, replacements = [], cancellation } = task;
  return [
    card('Who and what', [
      ['Patient', [patient?.name, patient?.state].filter(Boolean).join(', ')],
      ['Medication', context.medication ?? task.medication],
      ['Directions', directions],
      ['Quantity', quantity && String(quantity)],
      ['Days of supply', daysSupply && String(daysSupply)],
      ['Ships to', addressOf(shipTo)],
    ]),
    card('Where it is', [
      ['Approval', task.status && statusWords[task.status]],
      ['Pharmacy', task.pharmacy && pharmacyOf(task.pharmacy)],
      ['Order', task.orderStatus && words(task.orderStatus)],
      ['Tracking', trackingOf(tracking)],
      ['Cancellation', cancellation && cancellationOf(cancellation)],
      ...replacements.map((one) => [`Replacement ${one.n}`, replacementOf(one)]),
    ]),
    payment && card('What was paid', paymentOf(payment)),
    (refills || plan) &&
      card('What comes next', [...(refills ? refillsOf(refills) : []), ...(plan ? planOf(plan) : [])]),
  ].filter(Boolean);
}
function card(title, pairs) {
  const known = pairs.filter(([, value]) => value);
  return known.length > 0 ? el('section', {}, el('h3', {}, title), facts(known)) : null;
}

const statusWords = {
  pending: 'Under way',
  completed: 'Complete',
  failed: 'Stopped with an error',
  denied: 'Denied',
};
const trackingOf = (tracking) =>
  tracking && typeof tracking === 'object'
    ? [tracking.carrier, tracking.trackingNumber].filter(Boolean).join(' ')
    : tracking;
function cancellationOf({ state, reason, refundedCents }) {
  if (state === 'pending') return 'The pharmacy is asked; it has not answered';
  if (state === 'denied') return `The pharmacy refused${reason ? `: ${words(reason).toLowerCase()}` : ''}`;
  return refundedCents > 0 ? `Cancelled, ${money(refundedCents)} refunded` : 'Cancelled';
}
const replacementOf = ({ state, reason, pharmacy, paidBy }) =>
  [words(reason), words(state).toLowerCase(), pharmacyOf(pharmacy), `paid by ${paidBy}`].join(', ');
const paymentWords = { pending: 'Not known yet', succeeded: 'Paid', failed: 'Not paid' };
const paymentOf = ({ status, amountCents, refundedCents, leftCents }) => [
  [paymentWords[status], money(amountCents)],
  ['Refunded', refundedCents > 0 && money(refundedCents)],
  ['Can be refunded', refundedCents > 0 && leftCents > 0 && money(leftCents)],
];
function refillsOf({ status, pausedReason, totalRefillsAllowed, refillsSent, nextFillDate, shipTo }) {
  const isOpen = status === 'active' || status === 'paused';
  const reason = pausedReason ? ` (${words(pausedReason).toLowerCase()})` : '';
  return [
    ['Refills', `${words(status)}${reason}, ${refillsSent} of ${totalRefillsAllowed} sent`],
    ['Next refill', isOpen && dayOf(nextFillDate)],
    ['Next address', shipTo && `${addressOf(shipTo)} (${shipTo.fillsLeft} more)`],
  ];
}
const planOf = ({ treatment, state, phase, fill, nextFillDate, prescribedUntil, waitingFor = [] }) => [
  ['Plan', `${words(treatment)}, ${words(state).toLowerCase()}, phase ${phase}`],
  ['Next fill', fill && `${fill}, ${dayOf(nextFillDate)}`],
  ['Prescribed until', prescribedUntil && dayOf(prescribedUntil)],
  ...waitingFor.map(({ what, because, dueAt }) => [
    'Waits for',
    `${words(what)} (${words(because).toLowerCase()}), due ${dayOf(dueAt)}`,
  ]),
];
