/** A kind of record, and what becomes of it when it has reached its age. Ages are judged by the database's clock. */
export interface Rule {
  /** In the words of an operator: `1,204 details of delivered events`. */
  what: string;
  /** Where it stands. */
  tables: string;
  days: number;
  then: 'emptied' | 'deleted';
}

/**
 * What is kept how long (D94). docs/retention.md shows this table, and a test compares the two; the statements are in
 * db/retention/ages.ts.
 */
export const retentionRules = {
  /** What somebody has not got is kept until the row goes, so that it can be driven again. */
  outboxDetails: {
    what: 'details of delivered events',
    tables: 'outbox',
    days: 7,
    then: 'emptied',
  },
  outboxEntries: {
    what: 'shipped events with their deliveries',
    tables: 'outbox, event_delivery',
    days: 30,
    then: 'deleted',
  },
  unsignedWebhooks: {
    what: 'webhooks with an invalid signature',
    tables: 'bridge.emr_webhook_events',
    days: 30,
    then: 'deleted',
  },
  callbackAttempts: {
    what: 'attempts at callbacks',
    tables: 'router.callback_attempt',
    days: 400,
    then: 'deleted',
  },
  notifications: {
    what: 'entries of the notification log',
    tables: 'notification.delivery',
    days: 400,
    then: 'deleted',
  },
  downstreamCalls: {
    what: 'entries of the log of calls to other parties',
    tables: 'orchestrator.downstream_call, orchestrator.processor_event',
    days: 400,
    then: 'deleted',
  },
  workItems: {
    what: 'closed work items with their history',
    tables: 'worklist.work_item, worklist.history',
    days: 400,
    then: 'deleted',
  },
  recoveries: {
    what: 'recoveries in bulk',
    tables: 'orchestrator.recovery, orchestrator.recovery_item',
    days: 400,
    then: 'deleted',
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof retentionRules;
export const ruleNames = Object.keys(retentionRules) as RuleName[];

/** Of a webhook that the EMR did not sign only the beginning is kept, and of one address only so many an hour. */
export const unsignedWebhookLimits = { bytes: 4_096, perHour: 1_000 } as const;
