import { tenDigitsOf } from '../phone-number.js';
import type { PrescriptionSubmission } from './submission.js';

/**
 * Converts a submission for a pharmacy: no white space around names, lines, state and ZIP, and phones in ten digits
 * where they have them (D149). The record keeps the payload as received.
 */
export function asOrdered(submission: PrescriptionSubmission): PrescriptionSubmission {
  const { patient, shipTo, prescriber } = submission;
  return {
    ...submission,
    patient: { ...trimmed(patient), phone: phoneOf(patient.phone) },
    shipTo: asShipTo(shipTo),
    prescriber: {
      ...prescriber,
      firstName: prescriber.firstName.trim(),
      lastName: prescriber.lastName.trim(),
      ...(prescriber.address && { address: trimmed(prescriber.address) }),
    },
  };
}

export const asShipTo = (shipTo: PrescriptionSubmission['shipTo']): PrescriptionSubmission['shipTo'] => ({
  ...trimmed(shipTo),
  phone: phoneOf(shipTo.phone),
});

const trimmed = <T extends object>(fields: T): T =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  ) as T;

const phoneOf = (text: string): string => tenDigitsOf(text) ?? text.trim();
