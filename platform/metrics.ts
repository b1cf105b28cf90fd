import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The metrics of this process, which `/metrics` of the health port serves. Labels have a closed list of values or names
 * of ours: nothing about a patient, no id, no address of a person.
 */
export const registry = new Registry();

const registers = [registry];
const seconds = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600];

const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
  new Counter({ name: `scriptrail_${name}`, help, labelNames, registers });
const histogram = <L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
  buckets = seconds,
) => new Histogram({ name: `scriptrail_${name}`, help, labelNames, buckets, registers });
const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
  new Gauge({ name: `scriptrail_${name}`, help, labelNames, registers });

export const httpRequestSeconds = histogram(
  'http_request_seconds',
  'Answered requests, by route pattern.',
  ['service', 'method', 'route', 'status'],
  [0.01, 0.05, 0.25, 1, 5, 30, 120],
);

export const callSeconds = histogram(
  'call_seconds',
  'Calls to external and our own services, by the class of the status; none without a response.',
  ['party', 'answer'],
  [0.02, 0.1, 0.5, 1, 2.5, 5, 10],
);

export const approvals = counter(
  'approvals_total',
  'Ended approvals and refills; failed ones with their step.',
  ['kind', 'outcome', 'step'],
);

export const stepWarnings = counter(
  'step_warnings_total',
  'Failed steps of runs that completed with a warning.',
  ['step'],
);

export const stepSeconds = histogram(
  'step_seconds',
  'Time from scheduling a step to its success, waits and retries included.',
  ['step'],
);

export const pharmacyAnswers = counter(
  'pharmacy_answers_total',
  'Answers of pharmacies to orders; none without a usable response.',
  ['pharmacy', 'answer'],
);

export const payments = counter('payments_total', 'Outcomes of charges.', ['outcome']);

export const emrSyncs = counter(
  'emr_syncs_total',
  'Attempts to write to the EMR: succeeded, pending (retried), failed or abandoned.',
  ['disposition'],
);

export const callbackAttempts = counter(
  'callback_attempts_total',
  'Attempts to deliver callbacks: delivered, pending (retried), dead or stopped.',
  ['outcome'],
);

export const retentionRows = counter(
  'retention_rows_total',
  'Rows erased or deleted because of their age, by rule.',
  ['rule'],
);

export const taskWaitSeconds = histogram(
  'task_wait_seconds',
  'Time that an activity waited in its queue for a worker slot.',
  ['queue'],
);

export const activityFailures = counter(
  'activity_failures_total',
  'Failed activity attempts, by failure type.',
  ['queue', 'activity', 'type'],
);

export const workerRestarts = counter(
  'worker_restarts_total',
  'Workers that crashed and were restarted in their process.',
  ['queue'],
);

/** `health/figures.ts` sets these when `/metrics` is read. */
export const figures = {
  workerPolling: gauge('worker_polling', '1 if the worker of a hosted queue polls, else 0.', ['queue']),
  queuePollers: gauge('queue_pollers', 'Pollers of a queue in all processes, as Temporal reports them.', [
    'queue',
  ]),
  queueBacklog: gauge('queue_backlog', 'Approximate number of tasks waiting in a queue.', ['queue']),
  queueBacklogAge: gauge('queue_backlog_age_seconds', 'Age of the oldest waiting task.', ['queue']),
  checkLastEnd: gauge(
    'check_last_end_timestamp_seconds',
    'When the last run of a schedule completed, or when the schedule was made.',
    ['check'],
  ),
  outboxUnshipped: gauge('outbox_unshipped', 'Outbox entries not yet shipped.', ['service']),
  outboxAge: gauge('outbox_age_seconds', 'Age of the oldest unshipped entry that is not dead.', ['service']),
  outboxDead: gauge('outbox_dead', 'Dead outbox entries.', ['service']),
  deliveriesPending: gauge('event_deliveries_pending', 'Events not yet delivered to a consumer.', [
    'service',
  ]),
  deliveriesAge: gauge('event_deliveries_age_seconds', 'Age of the oldest such delivery.', ['service']),
  deliveriesDead: gauge('event_deliveries_dead', 'Dead event deliveries.', ['service']),
  callbacksPending: gauge('callbacks_pending', 'Callbacks not yet delivered.', ['service']),
  callbacksAge: gauge('callbacks_age_seconds', 'Age of the oldest such callback.', ['service']),
  callbacksDead: gauge('callbacks_dead', 'Dead callbacks that nobody has redelivered.', ['service']),
  emrSyncsPending: gauge('emr_syncs_pending', 'Changes not yet written to the EMR.', ['service']),
  emrSyncsAge: gauge('emr_syncs_age_seconds', 'Age of the oldest such change.', ['service']),
  runsPending: gauge('runs_pending', 'Running approvals and refills.', ['service']),
  runsAge: gauge('runs_age_seconds', 'Age of the oldest such run.', ['service']),
  recoveriesOpen: gauge('payment_recoveries_open', 'Failed charges in dunning.', ['service']),
  closesAge: gauge('closes_age_seconds', 'Age of the oldest close of a day that is still open.', ['service']),
  workItemsOpen: gauge('work_items_open', 'Open work items, snoozed ones included.', ['kind']),
  workItemsOverdue: gauge('work_items_overdue', 'Open work items past their due time.', ['kind']),
  workItemsAge: gauge('work_items_age_seconds', 'Age of the oldest such item.', ['kind']),
  /** Without it a database outage would look like an empty queue. */
  looked: gauge('figures_up', '1 if the figures of a service could be read, else 0.', ['service', 'from']),
};
