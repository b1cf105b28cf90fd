import type { PrescriptionSubmission } from './submission.js';
import type { HoldCode, PharmacyWords } from './pharmacy-words.js';

/** A question of a pharmacy, as it reports it (D100). */
export interface ReportedHold {
  /** The pharmacy's. */
  id: string;
  code: HoldCode;
  /** The pharmacy's own word. */
  pharmacyCode: string;
  message: string | null;
  /** ISO 8601, as the pharmacy wrote it. */
  until: string | null;
}

/** @param said the pharmacy's word for why it has stopped */
export const reportedHold = (
  { holds }: PharmacyWords,
  said: { id: string; code: string; message?: string | undefined; until?: string | undefined },
): ReportedHold => ({
  id: said.id,
  code: holds.get(said.code) ?? 'other',
  pharmacyCode: said.code,
  message: said.message ?? null,
  until: said.until ?? null,
});

export const holdAnswers = ['proceed', 'change', 'decline'] as const;

/** What the client lets the pharmacy do. */
export interface HoldAnswer {
  answer: (typeof holdAnswers)[number];
  text?: string | undefined;
  /** With `change`, and only with it. */
  changes?: HoldChanges | undefined;
}

export interface HoldChanges {
  sig?: string | undefined;
  quantity?: number | undefined;
  daysSupply?: number | undefined;
  /** Whole. */
  shipTo?: PrescriptionSubmission['shipTo'] | undefined;
}
