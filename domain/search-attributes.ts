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
  RxOutcome: 'KEYWORD',
  RxWarnings: 'KEYWORD_LIST',
} as const;

export type RunOutcome = 'OK' | 'WARN' | 'FAILED';
