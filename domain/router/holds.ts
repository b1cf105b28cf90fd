import type { PrescriptionSubmission, SubmissionStatus } from './submission.js';
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

/** A hold as its client reads it (D100). */
export interface Hold extends ReportedHold {
  state: 'open' | 'answered' | 'released';
  openedAt: Date;
  /** The word of the answer that the pharmacy has taken. */
  answer: HoldAnswer['answer'] | null;
  answeredAt: Date | null;
}

export const presentedHold = ({ openedAt, answeredAt, ...hold }: Hold) => ({
  id: hold.id,
  code: hold.code,
  pharmacyCode: hold.pharmacyCode,
  message: hold.message,
  until: hold.until,
  state: hold.state,
  openedAt: openedAt.toISOString(),
  answer: hold.answer,
  answeredAt: answeredAt?.toISOString() ?? null,
});

export const holdNotOpenText = 'The hold is not open, or has been answered otherwise';

/** An order that has shipped or is final has no holds (D100). */
export const takesNoHolds = (status: SubmissionStatus): boolean =>
  status === 'shipped' || status === 'delivered' || status === 'cancelled';
