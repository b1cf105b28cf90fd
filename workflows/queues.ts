/**
 * One task queue per service, each with a worker and slots of its own: an activity that waits for another service's
 * workflow must never take the slot that workflow needs (design rule 3).
 */
export const taskQueues = {
  orchestrator: 'orchestrator',
  /** Few slots of its own, so that a day full of refills never keeps an approval waiting. */
  refills: 'refills',
  router: 'router',
  /** Deliveries to receivers that may hang, kept away from the orders. */
  callbacks: 'callbacks',
  notification: 'notification',
  intake: 'intake',
  /** Finding or making patients in the EMR, which the intake's own activities wait for. */
  intakeEmr: 'intake-emr',
  organization: 'organization',
  patients: 'patients',
  bridge: 'bridge',
  worklist: 'worklist',
  /** What is past its age, and what is to be erased (D94). */
  retention: 'retention',
} as const;

export type TaskQueue = keyof typeof taskQueues;

/** The service whose database, settings and credentials the activities of a queue use. */
export const queueOwners = {
  orchestrator: 'orchestrator',
  refills: 'orchestrator',
  router: 'router',
  callbacks: 'router',
  notification: 'notification',
  intake: 'intake',
  intakeEmr: 'intake',
  organization: 'organization',
  patients: 'patients',
  worklist: 'worklist',
  bridge: 'bridge',
  retention: 'retention',
} as const satisfies Record<TaskQueue, string>;
