import { $, button, el, failed, fill } from './page.js';
import { go, isAt } from './route.js';
import { call, session } from './session.js';
import { when, words } from './words.js';

/** The work items on the left. */
let items = [];
let cursor = null;
let which = 'open';
let shown = '';
/** How many items the page shows at least, where there are as many. */
let wanted = 1;
let looks = 0;
const contexts = new Map();
/** When the context of an item is to be read. */
const readAt = new Map();
let isReading = false;
const states = ['open', 'overdue', 'snoozed', 'closed'];

export function clearList() {
  items = [];
  wanted = 1;
  shown = '';
  contexts.clear();
  readAt.clear();
}
export function openList() {
  fill(
    'which',
    ...states.map((name) =>
      button(
        words(name),
        (event) => {
          which = name;
          wanted = 1;
          for (const each of $('which').children)
            each.setAttribute('aria-pressed', String(each === event.target));
          look().catch(failed);
        },
        { 'aria-pressed': String(name === which) },
      ),
    ),
  );
  look().catch(failed);
}
export function prepareList() {
  $('kinds').addEventListener('change', () => {
    wanted = 1;
    look().catch(failed);
  });
  $('more').addEventListener('click', () => {
    // The last click is still being answered.
    if (wanted > items.length) return;
    wanted = items.length + 1;
    look().catch(failed);
  });
}

function query(after) {
  const asked = new URLSearchParams(which === 'overdue' ? { overdue: 'true' } : { state: which });
  if ($('kinds').value) asked.set('kind', $('kinds').value);
  if (after) asked.set('cursor', after);
  return `/v1/work-items?${asked}`;
}
/** Reads the pages with the items that are wanted. */
async function readList() {
  const found = [];
  let after = null;
  do {
    const { workItems, nextCursor } = await call(query(after));
    found.push(...workItems);
    after = nextCursor;
  } while (after !== null && found.length < wanted);
  return { found, after };
}
/** Reloads the list. Draws it only if it has changed, so that the focus stays. */
export async function look() {
  const mine = ++looks;
  const [{ counts }, list] = await Promise.all([call('/v1/work-items/counts'), readList()]);
  if (mine !== looks || !session.token) return;
  ({ found: items, after: cursor } = list);
  const total = counts.reduce((sum, one) => sum + one.open, 0);
  const overdue = counts.reduce((sum, one) => sum + one.overdue, 0);
  $('summary').textContent = `${total} open, ${overdue} overdue`;
  document.title = `${total} open · Desk · Scriptrail`;
  const kind = $('kinds').value;
  const options = [['', 'All'], ...counts.map((one) => [one.kind, countText(one)])];
  if (kind && !counts.some((one) => one.kind === kind)) options.push([kind, words(kind)]);
  const drawn = JSON.stringify([items, options, items.map(groupOf)]);
  if (drawn !== shown) {
    shown = drawn;
    fill('kinds', ...options.map(([value, text]) => el('option', { value }, text)));
    $('kinds').value = kind;
    draw();
  }
  void readContexts();
}
const isDue = ({ id, state }) => state !== 'closed' && (readAt.get(id) ?? 0) <= Date.now();
/** Reads who and what, for the rows of the list. What a service did not tell is read again after a minute. */
async function readContexts() {
  if (isReading) return;
  isReading = true;
  let item;
  while (session.token && (item = items.find(isDue))) {
    readAt.set(item.id, Date.now() + 60_000);
    noteContext(item.id, await call(`/v1/work-items/${item.id}`).catch(() => ({})));
  }
  isReading = false;
}
export function noteContext(id, { context, missing = [] }) {
  if (!context) return;
  contexts.set(id, context);
  if (missing.length === 0) readAt.set(id, Infinity);
  const about = document.querySelector(`[data-about="${id}"]`);
  const text = personAndMedication(context);
  if (about && text) about.textContent = text;
}
const personAndMedication = ({ patient, medication }) =>
  [patient?.name, medication].filter(Boolean).join(' · ');

const countText = ({ kind, open, overdue }) =>
  `${words(kind)} (${open}${overdue > 0 ? `, ${overdue} overdue` : ''})`;
export const isLate = (item) => item.state === 'open' && new Date(item.dueAt) < new Date();
function groupOf(item) {
  if (item.state === 'closed') return 'Closed';
  if (item.state === 'snoozed') return 'Snoozed';
  if (isLate(item)) return 'Overdue';
  return new Date(item.dueAt).toDateString() === new Date().toDateString() ? 'Today' : 'Later';
}
export function dueText(item) {
  if (item.state === 'closed') return `Closed ${when(item.closedAt)} by ${item.closedBy}`;
  if (item.state === 'snoozed') return `Put off; due ${when(item.dueAt)}`;
  return isLate(item) ? `Overdue since ${when(item.dueAt)}` : `Due ${when(item.dueAt)}`;
}

function draw() {
  const focused = document.activeElement?.dataset?.id;
  const groups = Map.groupBy ? Map.groupBy(items, groupOf) : new Map([['All', items]]);
  fill(
    'items',
    ...[...groups].flatMap(([name, members]) => [
      el(
        'h2',
        { class: name === 'Overdue' ? 'late' : '' },
        `${name} (${members.length}${cursor ? '+' : ''})`,
      ),
      el('ol', { 'aria-label': name }, ...members.map(row)),
    ]),
  );
  $('none').hidden = items.length > 0;
  $('more').hidden = cursor === null;
  if (focused) $('items').querySelector(`[data-id="${focused}"]`)?.focus();
}
const row = (item) => {
  const known = contexts.get(item.id);
  return el(
    'li',
    {},
    el(
      'button',
      {
        type: 'button',
        'data-id': item.id,
        'aria-current': String(isAt({ view: 'item', id: item.id })),
        onclick: () => go({ view: 'item', id: item.id }),
      },
      item.title,
      el(
        'span',
        { class: 'due', 'data-about': item.id },
        (known && personAndMedication(known)) || (item.references.taskId ?? ''),
      ),
      el('span', { class: 'due' }, words(item.reason)),
      el('span', { class: isLate(item) ? 'due late' : 'due' }, dueText(item)),
    ),
  );
};
/** Marks the item that is shown on the right. */
export function markCurrent() {
  for (const each of $('items').querySelectorAll('button'))
    each.setAttribute('aria-current', String(isAt({ view: 'item', id: each.dataset.id })));
}
