/**
 * The closed list of failure types that activities throw and workflows and APIs tell apart.
 * `Unavailable` is retried within the step's budget, `OwnOutage` beside it; every other type is final.
 */
export const failureTypes = {
  /** The other side did not answer, or asked for a later try. */
  unavailable: 'Unavailable',
  /**
   * One of our own services is away, and no outside party has said anything: waited out, on nobody's budget (D114). A final
   * one: our own process stood still during a call, and the activity is scheduled anew as one that was lost.
   */
  ownOutage: 'OwnOutage',
  /** The other side answered and refused; trying the same again is pointless. */
  rejected: 'Rejected',
  /** The card was asked for the money and said no; recorded with the processor's reason. */
  declined: 'Declined',
  /** What was asked for does not exist. */
  notFound: 'NotFound',
  /** What we hold is not enough to go on (a patient without an address). */
  incomplete: 'Incomplete',
  /** The patient is deceased, merged or inactive: nothing is ordered for them (D117). */
  patientLeft: 'PatientLeft',
  /** Another approval or denial holds the task (409, D32). */
  taskConflict: 'TaskConflict',
  /** No pharmacy serves the state (422). */
  noRoute: 'NoRoute',
  /** The order reference was used with other content (409, D21). */
  duplicateConflict: 'DuplicateConflict',
  /** The slug of a new organization is another's (409). */
  slugTaken: 'SlugTaken',
  /** No free medical record number was found (503). */
  mrnExhausted: 'MrnExhausted',
  /** The organization takes no new patients: it is suspended or archived (409). */
  organizationClosed: 'OrganizationClosed',
  /** Whoever started the run, or asks it, does not hold our keys (D90). */
  notEncrypted: 'NotEncrypted',
  /** A blocking step failed: the run is red. */
  stepFailed: 'StepFailed',
} as const;

export type FailureType = (typeof failureTypes)[keyof typeof failureTypes];
