import { answersOf } from './answers.js';
import { isWriting, restoreDraft } from './draft.js';
import { dueText, isLate, look, noteContext } from './list.js';
import { $, asShown, backButton, button, el, facts, failed, fill, folded, reveal } from './page.js';
import { go, isAt } from './route.js';
import { call } from './session.js';
import { entry, missingOf, runLink, storyOf } from './story.js';
import { addressOf, fieldWords, inWords, money, nameOf, pharmacyOf, sentences, words } from './words.js';

/** One work item: who and what, its one question, its answers, and what happened. */
let read = '';
let isShown = () => false;

export async function showItem(where, { quietly = false } = {}) {
  const isStill = asShown();
  const answered = await call(`/v1/work-items/${where.id}`);
  if (!isStill()) return;
  draw(where, answered);
  if (!quietly) reveal();
}
function draw(where, answered) {
  const { workItem: item, history: past, effects = {} } = answered;
  const context = answered.context ?? {};
  noteContext(item.id, answered);
  read = JSON.stringify(answered);
  const { taskId, client } = item.references;
  fill(
    'item',
    backButton(),
    el('h2', {}, item.title),
    el('p', { class: 'about' }, lineOf(context, taskId)),
    missingOf(answered.missing),
    el('p', { class: 'lead' }, questionOf(item, context)),
    el('p', { class: isLate(item) ? 'late' : 'due' }, dueText(item)),
    facts([
      ['Ships to', addressOf(context.shipTo)],
      ['Quantity', context.quantity && String(context.quantity)],
      ['Days of supply', context.daysSupply && String(context.daysSupply)],
      ['Goes to', item.kind.endsWith('_dead') && context.callbackUrl],
      ['Last error', context.lastError],
    ]),
    item.state === 'closed'
      ? null
      : answersOf(item, { effects, context, again: (form) => again(where, form) }),
    taskId &&
      el(
        'p',
        {},
        button('Open the order', () => go({ view: 'order', id: taskId, client })),
      ),
    taskId && el('h3', {}, 'What happened to the order'),
    taskId && el('div', { id: 'timeline' }, el('p', { class: 'why' }, 'Loading …')),
    el('h3', {}, 'What happened to this item'),
    el('ol', { class: 'entries' }, ...past.map(historyEntry)),
    folded(
      'Technical details',
      facts([
        ['Kind', words(item.kind)],
        ['Reason', words(item.reason)],
        ...Object.entries(item.references).map(([name, value]) => [nameOf(name), value]),
      ]),
      el('p', {}, runLink(item.runUrl, 'The run in the Web UI') ?? ''),
    ),
  );
  isShown = asShown();
  if (taskId) drawTimeline(taskId, client);
  restoreDraft(where);
}
/** Draws the item anew if it has changed since. */
export async function refreshItem(where) {
  if (!isShown()) return;
  const answered = await call(`/v1/work-items/${where.id}`);
  if (isShown() && !isWriting() && JSON.stringify(answered) !== read) draw(where, answered);
}
/** Reloads the list, and the item if the form that was sent is still shown. */
async function again(where, form) {
  await look().catch(failed);
  if (!form.isConnected) return;
  await showItem(where, { quietly: true }).catch(failed);
  if (isAt(where) && document.activeElement === document.body) $('item').focus({ preventScroll: true });
}

/** `Nora Q., NY · Semaglutide, inject 10 units weekly · Pharmacy A, order case_1 · $299.00`. */
function lineOf({ patient, medication, directions, pharmacy, amountCents }, taskId) {
  const parts = [
    patient && [patient.name, patient.state].filter(Boolean).join(', '),
    [medication, directions].filter(Boolean).join(', '),
    [pharmacy && pharmacyOf(pharmacy), taskId && `order ${taskId}`].filter(Boolean).join(', '),
    typeof amountCents === 'number' && money(amountCents),
  ];
  return parts.filter(Boolean).join(' · ');
}
function questionOf(item, context) {
  const asker = context.pharmacy ? pharmacyOf(context.pharmacy) : 'The pharmacy';
  if (context.question) return `${asker} asks: “${context.question}”`;
  return `${sentences[item.kind] ?? item.title}: ${words(item.reason).toLowerCase()}.`;
}
function historyEntry({ at, actor, action, answer, note, changed = [] }) {
  const fields = changed.map((name) => fieldWords[name] ?? nameOf(name).toLowerCase()).join(', ');
  const text = note && action === 'refused' ? inWords(note) : note;
  const what = [answer && words(answer), fields && `changed ${fields}`, text].filter(Boolean).join(' · ');
  return entry(at, `${words(action)} by ${actor}${what ? `: ${what}` : ''}`);
}
function drawTimeline(taskId, client) {
  const place = $('timeline');
  call(`/v1/timeline/${encodeURIComponent(taskId)}${client ? `?client=${client}` : ''}`)
    .then(({ entries }) => place.replaceChildren(...storyOf(entries)))
    .catch((error) => place.replaceChildren(el('p', {}, error.message)));
}
