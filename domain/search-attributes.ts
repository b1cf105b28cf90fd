/**
 * What an operator may filter runs by. They are the only thing readable in Temporal without the codec server, so
 * nothing about a patient belongs here; the state and medication of a task alone may.
 */
export const searchAttributeTypes = {
  RxTask: 'KEYWORD',
  RxSubmission: 'KEYWORD',
  RxPharmacy: 'KEYWORD',
  RxState: 'KEYWORD',
  RxMedication: 'KEYWORD',
  RxOrganization: 'KEYWORD',
  RxStep: 'KEYWORD',
  /** The kind of the work item by which a run waits for a person (D109). */
  RxWaiting: 'KEYWORD',
  /** What a run has been trying in vain for over five minutes: a step of the pipeline, else the activity (D109). */
  RxStuck: 'KEYWORD',
  /** Since when. */
  RxStuckSince: 'DATETIME',
  /** When it is tried again, where the run itself makes the pauses. */
  RxNextTry: 'DATETIME',
  RxOutcome: 'KEYWORD',
  RxWarnings: 'KEYWORD_LIST',
} as const;

export type SearchAttributeName = keyof typeof searchAttributeTypes;

/** What is tried in vain for longer than this is shown as `RxStuck` (D109). */
export const stuckAfterMs = 5 * 60_000;

export type RunOutcome = 'OK' | 'WARN' | 'FAILED';
