import { $, asShown, backButton, el, failed, fill, reveal, waitingFor } from './page.js';
import { go, isAt } from './route.js';
import { call } from './session.js';
import { missingOf } from './story.js';
import { when, words } from './words.js';

/** Finds prescriptions and people (D134). The search text stands in no address of the page. */
const kinds = {
  patient: 'Patients',
  task: 'Prescriptions',
  plan: 'Plans',
  schedule: 'Refills',
  order: 'Orders at pharmacies',
};
const place = { view: 'found' };
/** The results, for the way back from one of them. */
let found = null;
let missing = [];

export function prepareSearch() {
  $('find').addEventListener('submit', (event) => {
    event.preventDefault();
    const q = String(new FormData($('find')).get('q')).trim();
    if (!q) return;
    // The first result gets the focus, unless the person types on.
    $('find').elements.q.blur();
    void find(q);
  });
}
export function clearSearch() {
  found = null;
  $('find').reset();
}
async function find(q) {
  waitingFor('Looking …');
  found = null;
  const isStill = asShown();
  try {
    const answer = await call(`/v1/search?${new URLSearchParams({ q })}`);
    if (isStill()) showResults(answer);
  } catch (error) {
    if (isStill()) waitingFor('');
    failed(error);
  }
}
function showResults(answer) {
  const { results } = answer;
  [found, missing] = [results, answer.missing];
  const [task, ...others] = results.filter(({ kind }) => kind !== 'order');
  if (task?.kind === 'task' && others.length === 0 && missing.length === 0) go(whereOf(task));
  else go(place);
}
export function showFound() {
  if (!isAt(place)) return;
  const results = found ?? [];
  const groups = Object.entries(kinds)
    .map(([kind, title]) => [title, results.filter((result) => result.kind === kind)])
    .filter(([, members]) => members.length > 0);
  fill(
    'item',
    backButton(),
    missingOf(missing),
    el('h2', {}, results.length === 0 ? 'Nothing was found' : `Found (${results.length})`),
    results.length === 0 &&
      el(
        'p',
        {},
        'Try the number of the prescription or its beginning, the number at the pharmacy, a tracking number, the medical record number or the whole e-mail address.',
      ),
    ...groups.flatMap(([title, members]) => [
      el('h3', {}, title),
      el('ol', { class: 'results', 'aria-label': title }, ...members.map(row)),
    ]),
  );
  reveal();
}
const whereOf = ({ kind, id, taskId, client }) => ({
  view: 'order',
  id: kind === 'order' ? taskId : kind === 'task' ? id : `refill-${id}`,
  client,
});
function row(result) {
  const { kind, id, title, state, at, taskId } = result;
  const about = [state && words(state), at && when(at), kind === 'task' && id].filter(Boolean).join(' · ');
  // An order of another system has no page here.
  if (kind === 'order' && !taskId) return el('li', {}, title, el('span', { class: 'due' }, about));
  const open = () => (kind === 'patient' ? void find(id) : go(whereOf(result)));
  return el(
    'li',
    {},
    el('button', { type: 'button', onclick: open }, title, el('span', { class: 'due' }, about)),
  );
}
