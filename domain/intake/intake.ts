import { type CalendarDay, isCalendarDay } from '../calendar.js';
import { emailOf } from '../email-address.js';
import { usStates } from '../us-states.js';

export const intakeTypes = ['glp-1', 'nad', 'micro'] as const;
export type IntakeType = (typeof intakeTypes)[number];

/** A submitted intake form (page 2, Intake submission). Its schema is in `api/intake/contract.ts`. */
export interface Intake {
  firstName: string;
  lastName: string;
  /** `MM-DD-YYYY` */
  dob: string;
  gender?: 'male' | 'female' | 'other' | undefined;
  email: string;
  phone: string;
  /** Two letters in either case; decides availability (D61). */
  state: string;
  address: { line1: string; line2?: string | undefined; city: string; state: string; zip: string };
  intakeType: IntakeType;
  planToken: string;
  couponCode?: string | undefined;
  /** From the check of the code that was sent to the address (D86). */
  emailProof?: string | undefined;
}

/** Reads the stored body of a validated intake: the body itself stays as it was received. */
export function intakeOf(body: string): Intake {
  const intake = JSON.parse(body) as Intake;
  const { firstName, lastName, email } = intake;
  return {
    ...intake,
    firstName: firstName.trim(),
    lastName: lastName.trim(),
    email: emailOf(email) ?? email,
  };
}

/** States without the service (page 2, POST /submit). */
export const excludedStates: readonly string[] = ['MN', 'CA', 'TX', 'AR', 'OK'];
const minimumAge = 18;
/** Page 2, Retry queue entry: the pause between attempts to create the EMR patient, and their number after `/submit`. */
export const retryPauseSeconds = 60;
export const maxRetries = 3;

export const stateExcludedText = 'Service is not available in your state';
export const underageText = 'You must be at least 18 years old';

/** The state of a code in either case; undefined for an unknown code. DC counts, territories do not (D61). */
export function stateOf(code: string): string | undefined {
  // The upper case of a dotless ı is I, so the letters are checked first.
  if (!/^[A-Za-z]{2}$/.test(code)) return undefined;
  const state = code.toUpperCase();
  return state === 'DC' || usStates.some((known) => known === state) ? state : undefined;
}

/** `MM-DD-YYYY` as a calendar day; undefined if it does not exist. FHIR has no year 0. */
export function birthDateOf(dob: string): CalendarDay | undefined {
  const [, month, day, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(dob) ?? [];
  if (month === undefined || day === undefined || year === undefined || year === '0000') return undefined;
  const date = `${year}-${month}-${day}`;
  return isCalendarDay(date) ? date : undefined;
}

/** Whole years of age, negative before birth. A birthday on 29 February falls on 1 March in other years. */
export function ageOn(today: CalendarDay, birthDate: CalendarDay): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

/** The reason to reject a valid intake, if any: first its state, then the age. `today` is in the business's zone (D9). */
export function refusalOf(
  { state, dob }: Pick<Intake, 'state' | 'dob'>,
  today: CalendarDay,
): string | undefined {
  if (excludedStates.includes(state.toUpperCase())) return stateExcludedText;
  const birthDate = birthDateOf(dob);
  return birthDate === undefined || ageOn(today, birthDate) < minimumAge ? underageText : undefined;
}

export const submissionStatuses = ['submitted', 'pending_emr'] as const;
export type SubmissionStatus = (typeof submissionStatuses)[number];
export const retryStatuses = ['pending', 'completed', 'failed'] as const;
export type RetryStatus = (typeof retryStatuses)[number];

export type RetryVerdict = { status: 'pending'; nextRetryAt: number } | { status: 'failed' };

/** @param attempts made so far, this one included */
export const judgeFailedRetry = (attempts: number, now: number): RetryVerdict =>
  attempts < maxRetries
    ? { status: 'pending', nextRetryAt: now + retryPauseSeconds * 1000 }
    : { status: 'failed' };

/**
 * One attempt to find or create the patient in the EMR: the EMR's id, or an error that names no patient. `isRefused`
 * if the EMR rejected the data of this intake.
 */
export type EmrAttempt = { emrPatientId: string } | { error: string; isRefused?: true };

export const notVerifiedText = 'Email is not verified';
export const notSavedText = 'Failed to save submission';

/** Why an entered code is rejected (page 2, /verify-email/check). */
export const codeRefusals = [
  'no_code_sent',
  'code_expired',
  'code_already_used',
  'rate_limited',
  'invalid_code',
] as const;
export type CodeRefusal = (typeof codeRefusals)[number];

export const codeDigits = 6;
export const codeLifetimeMs = 10 * 60 * 1000;
/** After this many wrong codes, no further one is compared (D61). */
export const maxWrongCodes = 5;
