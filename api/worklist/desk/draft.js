import { $, said } from './page.js';
import { keyOf } from './route.js';

/**
 * Typed but not sent when a session ended; shown again to the same person only (D142). It is stored only while the
 * identity provider signs in, whose page takes the place of this one.
 */
let draft = JSON.parse(sessionStorage.getItem('draft') ?? 'null');
addEventListener('pageshow', () => sessionStorage.removeItem('draft'));

const fieldsIn = (form) => [...form.querySelectorAll('input, select, textarea')];
const isFilled = ({ type, checked, value, defaultValue = '' }) =>
  type === 'checkbox' ? checked : value !== defaultValue;
/** True if a person is about to answer, so that nothing may be drawn anew. */
export const isWriting = () =>
  $('sure').open ||
  $('item').querySelector('.panel:not([hidden])') !== null ||
  fieldsIn($('item')).some(isFilled);

export function keepDraft(me, where) {
  const form = $('item').querySelector('form');
  if (!form || !where || !fieldsIn(form).some(isFilled)) return;
  const values = fieldsIn(form).map(({ name, type, value, checked }) => [
    name,
    type === 'checkbox' ? checked : value,
  ]);
  draft = { me, where, chosen: form.dataset.chosen ?? '', values };
}
/** Keeps the draft over the way to the identity provider and back. */
export const storeDraft = () => sessionStorage.setItem('draft', JSON.stringify(draft));
export const forgetDraft = () => (draft = null);
/** @returns the view in which this person was writing, if any */
export function draftOf(me) {
  if (draft && draft.me !== me) draft = null;
  return draft?.where ?? null;
}
/** Fills a form that was just drawn with the draft that was written there. */
export function restoreDraft(where) {
  if (!draft || keyOf(draft.where) !== keyOf(where)) return;
  const { chosen, values } = draft;
  draft = null;
  const form = $('item').querySelector('form');
  if (!form) return;
  if (chosen)
    [...form.querySelectorAll('[data-answer]')].find(({ dataset }) => dataset.answer === chosen)?.click();
  for (const [name, value] of values) {
    const input = form.elements[name];
    if (!input) continue;
    if (typeof value === 'boolean') input.checked = value;
    else input.value = value;
  }
  said('Your draft is back.');
}
