/**
 * One task queue per service, each with its own worker and slots. An activity that waits for another service's
 * workflow must never take the slot which that workflow needs (design rule 3).
 */
export const taskQueues = {
  orchestrator: 'orchestrator',
  /** Few slots, so that refills never delay an approval. */
  refills: 'refills',
  router: 'router',
  /** Separate from orders, since receivers may hang. */
  callbacks: 'callbacks',
  notification: 'notification',
  intake: 'intake',
  /** Creates patients in the EMR, for which activities of `intake` wait. */
  intakeEmr: 'intake-emr',
  organization: 'organization',
  patients: 'patients',
  bridge: 'bridge',
  worklist: 'worklist',
  /** Retention and erasure (D94). */
  retention: 'retention',
} as const;

export type TaskQueue = keyof typeof taskQueues;

/** The service whose database, settings and credentials a queue's activities use. */
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
