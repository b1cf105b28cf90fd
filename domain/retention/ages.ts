/** A kind of record, its maximum age by the database's clock, and what happens then. */
interface Rule {
  what: string;
  tables: string;
  days: number;
  then: 'emptied' | 'deleted';
}

/** Retention times (D94). A test compares this table to docs/retention.md; the SQL is in db/retention/ages.ts. */
export const retentionRules = {
  /** An undelivered event keeps its details until its row goes, so that it can be redriven. */
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
  refusedWebhooks: {
    what: 'rejected pharmacy webhooks',
    tables: 'router.webhook_log',
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
    what: 'calls to external services',
    tables: 'orchestrator.downstream_call, orchestrator.processor_event',
    days: 400,
    then: 'deleted',
  },
  clientEvents: {
    what: 'events of clients',
    tables: 'orchestrator.client_event',
    days: 400,
    then: 'deleted',
  },
  workItems: {
    what: 'closed work items with their history',
    tables: 'worklist.work_item, worklist.history, worklist.order_history',
    days: 400,
    then: 'deleted',
  },
  recoveries: {
    what: 'bulk retries',
    tables: 'orchestrator.recovery, orchestrator.recovery_item',
    days: 400,
    then: 'deleted',
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof retentionRules;
export const ruleNames = Object.keys(retentionRules) as RuleName[];

/** A message can be sent again for so long (D135); then its variables are emptied. */
export const messageAgainDays = 90;

/** Storage limits for webhooks without a valid signature: bytes of each, and webhooks per IP address and hour. */
export const unsignedWebhookLimits = { bytes: 4_096, perHour: 1_000 } as const;
