/**
 * The search attributes by which operators filter runs. Temporal shows them unencrypted, so they say nothing about a
 * patient beyond the state and medication of a task.
 */
export const searchAttributeTypes = {
  RxTask: 'KEYWORD',
  RxSubmission: 'KEYWORD',
  RxPharmacy: 'KEYWORD',
  RxState: 'KEYWORD',
  RxMedication: 'KEYWORD',
  RxOrganization: 'KEYWORD',
  RxStep: 'KEYWORD',
  /** The kind of the open work item that the run waits for (D109). */
  RxWaiting: 'KEYWORD',
  /** The pipeline step, or the activity, that has failed for over five minutes (D109). */
  RxStuck: 'KEYWORD',
  RxStuckSince: 'DATETIME',
  /** The next try, if the run itself makes the pauses. */
  RxNextTry: 'DATETIME',
  RxOutcome: 'KEYWORD',
  RxWarnings: 'KEYWORD_LIST',
} as const;

export type SearchAttributeName = keyof typeof searchAttributeTypes;

/** A step or activity that fails for longer than this shows as `RxStuck` (D109). */
export const stuckAfterMs = 5 * 60_000;

export type RunOutcome = 'OK' | 'WARN' | 'FAILED';
