/**
 * The closed list of failure types that activities throw and workflows and APIs distinguish.
 * `Unavailable` retries use up the step's budget, `OwnOutage` retries do not. Every other type is final.
 */
export const failureTypes = {
  /** The external service did not answer, or asked for a later try. */
  unavailable: 'Unavailable',
  /**
   * One of our own services is down (D114). A non-retryable one means that our process stood still during a call:
   * the workflow schedules the activity anew, as after a lost worker.
   */
  ownOutage: 'OwnOutage',
  /** The external service rejected the request, so the same request would fail again. */
  rejected: 'Rejected',
  /** The card was declined; recorded with the processor's reason. */
  declined: 'Declined',
  notFound: 'NotFound',
  /** The record lacks required fields, such as a patient's address. */
  incomplete: 'Incomplete',
  /** The patient is deceased, merged or inactive: nothing is ordered for them (D117). */
  patientLeft: 'PatientLeft',
  /** Another approval or denial holds the task (409, D32). */
  taskConflict: 'TaskConflict',
  /** The refill was moved, skipped or paused after a check found it due (D119). */
  notDue: 'NotDue',
  noRoute: 'NoRoute',
  /** An earlier order has this reference and other content (409, D21). */
  duplicateConflict: 'DuplicateConflict',
  slugTaken: 'SlugTaken',
  mrnExhausted: 'MrnExhausted',
  /** A suspended or archived organization accepts no new patients (409). */
  organizationClosed: 'OrganizationClosed',
  /** The caller that started or messaged the run does not hold our keys (D90). */
  notEncrypted: 'NotEncrypted',
  stepFailed: 'StepFailed',
} as const;

export type FailureType = (typeof failureTypes)[keyof typeof failureTypes];
