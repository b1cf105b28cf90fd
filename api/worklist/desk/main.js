import { draftOf, forgetDraft, isWriting, keepDraft } from './draft.js';
import { refreshItem, showItem } from './item.js';
import { clearList, look, markCurrent, openList, prepareList } from './list.js';
import { showMonth, thisMonth } from './month.js';
import { refreshOrder, showOrder } from './order.js';
import { $, asShown, back, el, failed, fill, said, waitingFor } from './page.js';
import { go, here, leavePlace, onRoute } from './route.js';
import { showRuns } from './runs.js';
import { clearSearch, prepareSearch, showFound } from './search.js';
import { endSession, session, signOut, tendSession, whenEnded } from './session.js';
import { door, openDoor, prepareDoor } from './sign-in.js';

/** The desk (D110): puts its parts together. */
const views = { item: showItem, order: showOrder, found: showFound, month: showMonth, runs: showRuns };

async function show(where) {
  if (!session.token) return;
  markCurrent();
  if (where) return views[where.view](where);
  document.body.classList.remove('reading');
  fill('item', el('p', { class: 'why' }, 'Choose an item, or find an order.'));
}
onRoute((where) => {
  // What is shown and said is about another place, and must not be answered for this one.
  said('');
  waitingFor('Loading …');
  const isStill = asShown();
  void show(where).catch((error) => {
    if (isStill()) waitingFor('');
    failed(error);
  });
});

function open() {
  $('door').hidden = true;
  for (const id of ['desk', 'leave', 'find', 'views']) $(id).hidden = false;
  $('who').textContent = session.me;
  openList();
  $('list').focus({ preventScroll: true });
  const written = draftOf(session.me);
  if (written) go(written);
  else void show(here()).catch(failed);
}
/** Clears the page. The draft waits for the same person. */
whenEnded((text) => {
  keepDraft(session.me, history.state);
  leavePlace();
  clearList();
  clearSearch();
  document.title = 'Desk · Scriptrail';
  document.body.classList.remove('reading');
  if ($('sure').open) $('sure').close('no');
  for (const id of ['items', 'item', 'which', 'kinds', 'summary', 'who']) $(id).replaceChildren();
  for (const id of ['desk', 'leave', 'find', 'views']) $(id).hidden = true;
  door();
  said(text);
});

prepareDoor(open);
prepareList();
prepareSearch();
$('to-month').addEventListener('click', () => go({ view: 'month', id: thisMonth() }));
$('to-runs').addEventListener('click', () => go({ view: 'runs' }));
$('leave').addEventListener('click', () => {
  const givenBack = signOut();
  endSession('Signing out …');
  forgetDraft();
  givenBack
    .then(() => 'You are signed out.')
    .catch(() => 'Signed out here. The service did not answer; your session ends within 15 minutes.')
    .then(said);
});

const keys = {
  j: () => step(1),
  k: () => step(-1),
  '/': () => $('find').elements.q.focus(),
  r: () => reload().catch(failed),
  Escape: back,
};
function step(by) {
  const buttons = [...$('items').querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement);
  buttons[Math.max(0, Math.min(at + by, buttons.length - 1))]?.focus();
}
async function reload() {
  await look();
  if (!isWriting()) await show(history.state);
  said('Up to date.');
}
document.addEventListener('keydown', (event) => {
  if ($('desk').hidden || $('sure').open || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

/** Shows what another person has changed, unless the user is writing. */
async function refresh() {
  const where = history.state;
  if (!where || isWriting()) return;
  if (where.view === 'item') await refreshItem(where);
  if (where.view === 'order') await refreshOrder(where);
}
/** A look that is slow is awaited for a minute, since the next one would discard what it reads. */
let busyUntil = 0;
setInterval(() => {
  tendSession();
  if (!session.token || document.hidden || Date.now() < busyUntil) return;
  busyUntil = Date.now() + 60_000;
  look()
    .then(refresh)
    .catch(() => undefined)
    .finally(() => (busyUntil = 0));
}, 5_000);

if (session.token) open();
else openDoor().catch(() => undefined);
