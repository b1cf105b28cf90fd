import { type CalendarDay, isCalendarDay } from '../calendar.js';
import { emailOf } from '../email-address.js';
import { usStates } from '../us-states.js';

export const intakeTypes = ['glp-1', 'nad', 'micro'] as const;
export type IntakeType = (typeof intakeTypes)[number];

/** The intake form hands this in (page 2, Intake submission). `api/intake/contract.ts` is the schema for it. */
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

/**
 * An intake out of the body that was kept of it, which a contract has checked. What the contract only judged is read
 * here: the body itself stays as it came.
 */
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

/** The service is not offered in these states (page 2, Limits). */
export const excludedStates: readonly string[] = ['MN', 'CA', 'TX', 'AR', 'OK'];
const minimumAge = 18;
/** Page 2, Limits: between attempts to make the EMR patient, and how many there are after the one inside `/submit`. */
export const retryPauseSeconds = 60;
export const maxRetries = 3;

export const stateRefusedText = 'Service is not available in your state';
export const underageText = 'You must be at least 18 years old';

/** The state of a code in either case; undefined for a code that is none. DC counts, territories do not (D61). */
export function stateOf(code: string): string | undefined {
  // Letters of other alphabets have upper cases too: dotless ı has I.
  if (!/^[A-Za-z]{2}$/.test(code)) return undefined;
  const state = code.toUpperCase();
  return state === 'DC' || usStates.some((known) => known === state) ? state : undefined;
}

/** `MM-DD-YYYY` as a calendar day; undefined when it is none. There is no year 0, neither here nor in FHIR. */
export function birthDateOf(dob: string): CalendarDay | undefined {
  const [, month, day, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(dob) ?? [];
  if (month === undefined || day === undefined || year === undefined || year === '0000') return undefined;
  const date = `${year}-${month}-${day}`;
  return isCalendarDay(date) ? date : undefined;
}

/**
 * Whole years of age on a day, exact on month and day: a birthday counts from its own date on, so one of 29 February
 * comes on 1 March where the year has none. Negative before birth.
 */
export function ageOn(today: CalendarDay, birthDate: CalendarDay): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

/**
 * Why an intake of valid form cannot be taken, in the page's order: state, then age.
 * @param today in the business's time zone (D9)
 */
export function refusalOf(
  { state, dob }: Pick<Intake, 'state' | 'dob'>,
  today: CalendarDay,
): string | undefined {
  if (excludedStates.includes(state.toUpperCase())) return stateRefusedText;
  const birthDate = birthDateOf(dob);
  return birthDate === undefined || ageOn(today, birthDate) < minimumAge ? underageText : undefined;
}

export const submissionStatuses = ['submitted', 'pending_emr'] as const;
export type SubmissionStatus = (typeof submissionStatuses)[number];
export const retryStatuses = ['pending', 'completed', 'failed'] as const;
export type RetryStatus = (typeof retryStatuses)[number];

/** A retry that failed is tried again at `nextRetryAt` (epoch milliseconds), or is over. */
export type RetryVerdict = { status: 'pending'; nextRetryAt: number } | { status: 'failed' };

/** @param attempts made so far, this one included */
export const judgeFailedRetry = (attempts: number, now: number): RetryVerdict =>
  attempts < maxRetries
    ? { status: 'pending', nextRetryAt: now + retryPauseSeconds * 1000 }
    : { status: 'failed' };

/**
 * One attempt at having the patient in the EMR: the EMR's id, or why there is none; the text names no patient.
 * `isRefused` when the EMR said no to what it was given, and not to everybody.
 */
export type EmrAttempt = { emrPatientId: string } | { error: string; isRefused?: true };

export const notVerifiedText = 'Email is not verified';
export const notSavedText = 'Failed to save submission';
