/** The words of the page. */
export const words = (text) => text.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());
/** `submissionId` as `Submission`. */
export const nameOf = (reference) =>
  words(reference.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
export const pharmacies = { pharmacy_a: 'Pharmacy A', pharmacy_b: 'Pharmacy B', pharmacy_c: 'Pharmacy C' };
export const pharmacyOf = (name) => pharmacies[name] ?? name;
/** Names the field with which a text begins, the pharmacies and the days as the page does. */
export const inWords = (text) =>
  text
    .replace(/^data(?:\.\w+)*\.(\w+):/, (_all, field) => `${labelOf(field)}:`)
    .replace(/\bpharmacy_[a-z]\b/g, pharmacyOf)
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, dayOf);
export const money = (cents) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
export const when = (iso) =>
  new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
/** A day such as `2026-11-30`, in no time zone. */
export const dayOf = (date) =>
  new Date(`${date.slice(0, 10)}T00:00:00Z`).toLocaleDateString(undefined, {
    dateStyle: 'medium',
    timeZone: 'UTC',
  });
export const addressOf = (to) =>
  to &&
  [to.addressLine1, to.addressLine2, to.city, `${to.state ?? ''} ${to.zip ?? ''}`.trim()]
    .filter(Boolean)
    .join(', ');

/** How a dialog names the address that was typed. */
export const newAddress = 'New address';

/** The problem in one sentence, where the pharmacy has no text of its own. */
export const sentences = {
  pharmacy_hold: 'The pharmacy asks before it fills the order',
  order_unknown: 'The pharmacy has not said whether it has the order',
  order_missing: 'The pharmacy says that it does not have this order',
  order_silent: 'The pharmacy has reported nothing about this order',
  cancellation_unanswered: 'The pharmacy has not answered the cancellation',
  approval_failed: 'The approval stopped before the order was complete',
  refill_failed: 'The refill could not be sent',
  payment_unpaid: 'The patient has not paid',
  charge_disputed: 'The patient disputes the charge at their bank',
  refund_failed: 'The refund did not reach the patient',
  shipped_after_cancel: 'The order was shipped although it was cancelled',
  shipment_failed: 'The shipping label could not be recorded',
  callback_dead: 'A system that follows this order does not answer',
  event_dead: 'A system that follows our events does not answer',
  emr_sync_failed: 'A change could not be saved in the medical record',
  orphan_patient: 'The medical record has a patient whom we do not know',
  intake_unplaced: 'An intake form could not be saved in the medical record',
  identity_mismatch: 'Two people use one e-mail address',
  domain_unverified: 'A clinic has registered a domain that does not point to us',
  close_differences: 'A day does not match the records of the external services',
  prescriber_unlicensed: 'No prescriber with a license was found for a state',
  check_in_missing: 'The patient has not checked in before the next fill',
  decision_needed: 'The plan needs a decision before the next fill',
  endpoint_failing: 'A client does not accept our events',
  patient_incomplete: 'The medical record lacks what a pharmacy needs',
};

/** The fields of the API as the page calls them. */
export const labels = {
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  addressLine1: 'Address',
  addressLine2: 'Address, second line',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  sig: 'New directions',
  quantity: 'New quantity',
  daysSupply: 'New days of supply',
  text: 'Text to the pharmacy',
  pharmacy: 'Pharmacy',
  note: 'Note',
  email: 'E-mail address',
  code: 'Code from the mail',
  amountCents: 'Amount',
  nextFillDate: 'Date of the next refill',
  prescribedUntil: 'Prescribed until',
  phase: 'Phase',
  fills: 'Number of refills',
  reason: 'Reason',
  paidBy: 'Paid by',
  shipTo: 'Address',
  q: 'What you search for',
};
/** @param path of the field in the API */
export const labelOf = (path) => {
  const name = path.split('.').pop();
  return labels[name] ?? nameOf(name);
};
export const fieldWords = {
  sig: 'directions',
  quantity: 'quantity',
  daysSupply: 'days of supply',
  shipTo: 'address',
};
