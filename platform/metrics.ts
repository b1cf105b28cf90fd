import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * What the process counts of its own work; `/metrics` of the health port shows it. Every label is of a closed list, or
 * chosen by us: nothing of a patient, no id, no address of anybody's.
 */
export const registry = new Registry();

const registers = [registry];
const seconds = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600];

export const httpRequestSeconds = new Histogram({
  name: 'scriptrail_http_request_seconds',
  help: 'Requests answered, by the pattern of their route.',
  labelNames: ['service', 'method', 'route', 'status'],
  buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120],
  registers,
});

export const callSeconds = new Histogram({
  name: 'scriptrail_call_seconds',
  help: 'Calls to other parties and to our own services, by the class of their answer; none where no answer came.',
  labelNames: ['party', 'answer'],
  buckets: [0.02, 0.1, 0.5, 1, 2.5, 5, 10],
  registers,
});

export const approvals = new Counter({
  name: 'scriptrail_approvals_total',
  help: 'Approvals and refills that ended, and for those that failed at which step.',
  labelNames: ['kind', 'outcome', 'step'],
  registers,
});

export const stepWarnings = new Counter({
  name: 'scriptrail_step_warnings_total',
  help: 'Steps that failed in runs that completed with a warning.',
  labelNames: ['step'],
  registers,
});

export const stepSeconds = new Histogram({
  name: 'scriptrail_step_seconds',
  help: 'From the moment a step was first scheduled to its success, with its waits and retries.',
  labelNames: ['step'],
  buckets: seconds,
  registers,
});

export const pharmacyAnswers = new Counter({
  name: 'scriptrail_pharmacy_answers_total',
  help: 'What pharmacies answered to orders; none where no answer came that could be gone by.',
  labelNames: ['pharmacy', 'answer'],
  registers,
});

export const payments = new Counter({
  name: 'scriptrail_payments_total',
  help: 'Verdicts on charges.',
  labelNames: ['outcome'],
  registers,
});

export const emrSyncs = new Counter({
  name: 'scriptrail_emr_syncs_total',
  help: 'What attempts to write to the EMR came to: succeeded, pending for another try, failed or abandoned.',
  labelNames: ['disposition'],
  registers,
});

export const callbackAttempts = new Counter({
  name: 'scriptrail_callback_attempts_total',
  help: 'What attempts to deliver callbacks came to: delivered, pending for another try, dead or stopped.',
  labelNames: ['outcome'],
  registers,
});

export const retentionRows = new Counter({
  name: 'scriptrail_retention_rows_total',
  help: 'Rows that were emptied or deleted because of their age, by rule.',
  labelNames: ['rule'],
  registers,
});

export const taskWaitSeconds = new Histogram({
  name: 'scriptrail_task_wait_seconds',
  help: 'How long an activity waited in its queue for a slot of a worker.',
  labelNames: ['queue'],
  buckets: seconds,
  registers,
});

export const activityFailures = new Counter({
  name: 'scriptrail_activity_failures_total',
  help: 'Attempts of activities that failed, by the type of their failure.',
  labelNames: ['queue', 'activity', 'type'],
  registers,
});

export const workerRestarts = new Counter({
  name: 'scriptrail_worker_restarts_total',
  help: 'Workers that died in their process and were started again.',
  labelNames: ['queue'],
  registers,
});

/** The facts that are looked up when they are asked for; `health/figures.ts` does so. */
const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
  new Gauge({ name: `scriptrail_${name}`, help, labelNames, registers });

export const figures = {
  workerPolling: gauge('worker_polling', 'Whether the worker of a hosted queue takes tasks: 1 or 0.', [
    'queue',
  ]),
  queuePollers: gauge('queue_pollers', 'Workers anywhere that poll a queue, as Temporal sees them.', [
    'queue',
  ]),
  queueBacklog: gauge('queue_backlog', 'Tasks that wait in a queue, about.', ['queue']),
  queueBacklogAge: gauge('queue_backlog_age_seconds', 'How long the first of them has waited.', ['queue']),
  checkLastEnd: gauge(
    'check_last_end_timestamp_seconds',
    'When the last refill check, retention or silence check completed; absent while none has.',
    ['check'],
  ),
  outboxUnshipped: gauge('outbox_unshipped', 'Entries of an outbox that are not shipped yet.', ['service']),
  outboxAge: gauge('outbox_age_seconds', 'The age of the oldest of them that was not given up.', ['service']),
  outboxDead: gauge('outbox_dead', 'Entries of an outbox that were given up.', ['service']),
  deliveriesPending: gauge('event_deliveries_pending', 'Events that a consumer has yet to get.', ['service']),
  deliveriesAge: gauge('event_deliveries_age_seconds', 'The age of the oldest of them.', ['service']),
  deliveriesDead: gauge('event_deliveries_dead', 'Events whose delivery was given up.', ['service']),
  callbacksPending: gauge('callbacks_pending', 'Callbacks that wait to be delivered.', ['service']),
  callbacksAge: gauge('callbacks_age_seconds', 'The age of the oldest of them.', ['service']),
  callbacksDead: gauge('callbacks_dead', 'Callbacks that were given up and not sent again since.', [
    'service',
  ]),
  emrSyncsPending: gauge('emr_syncs_pending', 'Changes that the EMR has yet to take.', ['service']),
  emrSyncsAge: gauge('emr_syncs_age_seconds', 'The age of the oldest of them.', ['service']),
  runsPending: gauge('runs_pending', 'Approvals and refills under way.', ['service']),
  runsAge: gauge('runs_age_seconds', 'The age of the oldest of them.', ['service']),
  recoveriesOpen: gauge('payment_recoveries_open', 'Charges that failed and are still to be paid.', [
    'service',
  ]),
  workItemsOpen: gauge('work_items_open', 'What waits for a person, put off or not.', ['kind']),
  workItemsOverdue: gauge('work_items_overdue', 'Those of them that are past their due time.', ['kind']),
  workItemsAge: gauge('work_items_age_seconds', 'The age of the oldest of them.', ['kind']),
  /** Without it an outage of the database would look like nothing to do. */
  looked: gauge('figures_up', 'Whether the figures of a service could be looked up: 1 or 0.', [
    'service',
    'from',
  ]),
};
