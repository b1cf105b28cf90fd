import { el, folded } from './page.js';
import { labels, pharmacies } from './words.js';

/** The fields of answers and actions, read and checked as the API checks them (D144). */
const field = (label, input) => el('label', {}, label, input);
export const input = (name, label, attributes = {}) => field(label, el('input', { name, ...attributes }));
export const tick = (name, label) =>
  el('label', { class: 'choice' }, el('input', { name, type: 'checkbox' }), label);
export const area = (name, maxlength) => field(labels[name], el('textarea', { name, maxlength, rows: '2' }));
/** @param chosen the option that is chosen at first */
export const select = (name, options, chosen) =>
  field(
    labels[name],
    el(
      'select',
      { name },
      el('option', { value: '' }, 'Choose one'),
      ...Object.entries(options).map(([value, text]) =>
        el('option', { value, selected: text === chosen }, text),
      ),
    ),
  );
export const pharmacyField = (chosen) => select('pharmacy', pharmacies, chosen);

const longest = {
  firstName: '100',
  lastName: '100',
  phone: '40',
  addressLine1: '200',
  addressLine2: '200',
  city: '100',
  state: '2',
  zip: '10',
};
const recipient = Object.keys(longest);
const address = recipient.slice(3);
const inputs = (names, known) =>
  names.map((name) => input(name, labels[name], { maxlength: longest[name], value: known?.[name] || null }));

/** An address to change, with the present one filled in. */
export const addressFields = (known) => inputs(address, known);
/** The same with the person who receives the parcel. */
export const recipientFields = (known) =>
  folded('New shipping address (all fields)', ...inputs(recipient, known));

const textOf = (given, name) => String(given.get(name) ?? '').trim();
/** @returns the changed address, or undefined if it is as it was. @throws Error that names what is missing */
function readChanged(given, names, known) {
  const written = names.map((name) => [name, textOf(given, name)]);
  // A field that was cleared has changed too.
  if (written.every(([name, value]) => value === (known?.[name] ?? ''))) return undefined;
  const missing = names.filter((name) => name !== 'addressLine2' && !textOf(given, name));
  if (missing.length > 0)
    throw new Error(`The new address also needs: ${missing.map((name) => labels[name]).join(', ')}.`);
  return Object.fromEntries(written.filter(([, value]) => value));
}
export const readAddress = (given, known) => readChanged(given, address, known);
export const readRecipient = (given, known) => readChanged(given, recipient, known);

export function readNumber(given, name, { whole = false } = {}) {
  const value = Number(given.get(name));
  if (!(value > 0) || !Number.isFinite(value) || (whole && !Number.isInteger(value)))
    throw new Error(`${labels[name]} must be a ${whole ? 'whole number of 1 or more' : 'number above 0'}.`);
  return value;
}
export function readChoice(given, name) {
  if (!given.get(name)) throw new Error(`Choose a ${labels[name].toLowerCase()} first.`);
  return given.get(name);
}
/** Dollars and cents. @returns undefined if nothing is written */
export function readCents(given, name) {
  const written = textOf(given, name).replace(/^\$/, '');
  if (!written) return undefined;
  if (!/^\d+(\.\d{1,2})?$/.test(written) || Number(written) === 0)
    throw new Error(`${labels[name]} must be dollars and cents, such as 49.50.`);
  return Math.round(Number(written) * 100);
}
export function readDay(given, name) {
  if (!given.get(name)) throw new Error(`${labels[name]} is missing.`);
  return given.get(name);
}
