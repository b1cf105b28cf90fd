import type { PrescriptionSubmission, SubmissionStatus } from './submission.js';
import { codeOf, type HoldCode, type PharmacyWords } from './pharmacy-words.js';

/** A hold as the pharmacy reports it (D100). */
export interface ReportedHold {
  id: string;
  code: HoldCode;
  pharmacyCode: string;
  message: string | null;
  /** ISO 8601, as the pharmacy wrote it. */
  until: string | null;
}

export const reportedHold = (
  { holds }: PharmacyWords,
  said: { id: string; code: string; message?: string | undefined; until?: string | undefined },
): ReportedHold => ({
  id: said.id,
  code: codeOf(holds, said.code) ?? 'other',
  pharmacyCode: said.code,
  message: said.message ?? null,
  until: said.until ?? null,
});

export const holdAnswers = ['proceed', 'change', 'decline'] as const;

export interface HoldAnswer {
  answer: (typeof holdAnswers)[number];
  text?: string | undefined;
  /** With `change`, and only with it. */
  changes?: HoldChanges | undefined;
}

/** The changes of an answer, as given: `onceOnly` is for us, and no change (D145). */
export type GivenChanges = HoldChanges & { onceOnly?: boolean | undefined };

/** Changes that hold for the refills after the order too (D145). */
export const lastsBeyondOrder = ({ sig, quantity, daysSupply }: HoldChanges): boolean =>
  sig !== undefined || quantity !== undefined || daysSupply !== undefined;

export interface HoldChanges {
  sig?: string | undefined;
  quantity?: number | undefined;
  daysSupply?: number | undefined;
  /** Replaces the whole address. */
  shipTo?: PrescriptionSubmission['shipTo'] | undefined;
}

/** A hold as its client reads it (D100). */
export interface Hold extends ReportedHold {
  state: 'open' | 'answered' | 'released';
  openedAt: Date;
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

export const holdNotOpenText = 'Hold is not open';

/** An order that has shipped, is final or does not exist has no holds (D100). */
export const takesNoHolds = (status: SubmissionStatus): boolean =>
  status === 'shipped' || status === 'delivered' || status === 'cancelled' || status === 'failed';
