import { asShown, backButton, button, el, facts, failed, fill, reveal } from './page.js';
import { go } from './route.js';
import { call } from './session.js';
import { money, pharmacyOf } from './words.js';

/** A month at a glance, from the closed days and the statements (D135): orders and bills, charged, refunded. */
const noonOf = (month) => new Date(`${month}-15T12:00:00Z`);
const titleOf = (month) =>
  noonOf(month).toLocaleDateString(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
function shifted(month, by) {
  const date = noonOf(month);
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 7);
}
export const thisMonth = () => new Date().toISOString().slice(0, 7);

export async function showMonth(where) {
  const { id: month } = where;
  const isStill = asShown();
  const figures = await call(`/v1/months/${month}`);
  if (!isStill()) return;
  const { closedDays, chargedCents, refundedCents } = figures;
  fill(
    'item',
    backButton(),
    el('h2', {}, titleOf(month)),
    el(
      'div',
      { class: 'filters' },
      button('Month before', () => go({ view: 'month', id: shifted(month, -1) })),
      month < thisMonth() ? button('Month after', () => go({ view: 'month', id: shifted(month, 1) })) : '',
    ),
    el(
      'p',
      { class: 'why' },
      closedDays === 0
        ? 'No day of this month is closed yet; bills are those that have come.'
        : `Orders, charges and refunds of ${closedDays} closed ${closedDays === 1 ? 'day' : 'days'}; bills as they have come.`,
    ),
    tableOf(month, figures),
    facts([
      ['Charged', money(chargedCents)],
      ['Refunded', money(refundedCents)],
    ]),
    button('Download as CSV', () => download(month).catch(failed)),
  );
  reveal();
}

function tableOf(month, { pharmacies, orders, billedCents }) {
  const row = (name, each) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, name),
      el('td', {}, String(each.orders)),
      el('td', {}, each.billedCents === null ? 'No statement' : money(each.billedCents)),
    );
  const heads = ['Pharmacy', 'Orders', 'Billed'].map((name) => el('th', { scope: 'col' }, name));
  return el(
    'table',
    { 'aria-label': `Pharmacies in ${titleOf(month)}` },
    el('thead', {}, el('tr', {}, ...heads)),
    el('tbody', {}, ...pharmacies.map((each) => row(pharmacyOf(each.pharmacy), each))),
    el('tfoot', {}, row('All', { orders, billedCents })),
  );
}

/** The same figures for a spreadsheet. */
async function download(month) {
  const csv = await call(`/v1/months/${month}`, { headers: { accept: 'text/csv' }, isText: true });
  const href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }));
  el('a', { href, download: `${month}.csv` }).click();
  URL.revokeObjectURL(href);
}
