import { collectDefaultMetrics } from 'prom-client';
import type { Client } from '@temporalio/client';
import { measurePendingSyncs } from '../db/bridge/sync-attempts.js';
import type { Sql } from '../db/client.js';
import { measureDeliveries } from '../db/event-deliveries.js';
import { measureOpenCloses } from '../db/orchestrator/closes.js';
import { countOpenDunnings } from '../db/orchestrator/dunning.js';
import { measurePendingRuns } from '../db/orchestrator/runs.js';
import { measureOutbox } from '../db/outbox.js';
import { outboxServices } from '../db/redrive.js';
import { measureCallbacks } from '../db/router/callbacks.js';
import { measureItems } from '../db/worklist/items.js';
import type { HostedWorkers } from '../platform/hosted-workers.js';
import { figures, registry } from '../platform/metrics.js';
import type { Hosted } from '../platform/service-names.js';
import { lookAtQueue, lookAtSchedule, type QueueState } from '../starts/looking.js';
import { queueOwners, type TaskQueue } from '../workflows/queues.js';

export interface HostedService {
  name: Hosted;
  sql: Sql;
  temporal: Client;
}

/** The retention has no API, so that of the patients, who are erased there, watches its queue and check as well. */
const queuesOf = (service: Hosted): TaskQueue[] =>
  (Object.keys(queueOwners) as TaskQueue[]).filter(
    (queue) => queueOwners[queue] === service || (service === 'patients' && queue === 'retention'),
  );

const retention = [{ check: 'retention', scheduleId: 'retention' }];
/** Only runs of the schedule count: a client can start a check of its own refills. */
const checks: Partial<Record<Hosted, { check: string; scheduleId: string }[]>> = {
  orchestrator: [
    { check: 'refill_check', scheduleId: 'daily-refill-check' },
    { check: 'refund_check', scheduleId: 'unrefunded' },
    { check: 'daily_close', scheduleId: 'daily-close' },
  ],
  router: [{ check: 'silence_check', scheduleId: 'pharmacy-silence-check' }],
  retention,
  patients: retention,
};

export interface Watched {
  queues: Map<TaskQueue, QueueState>;
  checks: Map<string, Date>;
}

/** Scrapers wait longer than this. A slower figure is left out, and `figures_up` is 0 for it. */
const withinMs = 4_000;
/** Bounds the load on Postgres and Temporal, whatever the number of scrapers. */
const freshMs = 5_000;

/** Returns a function that reads the figures of the services in this process, at most once per `freshMs`. */
export function watch(services: readonly HostedService[], workers: HostedWorkers): () => Promise<Watched> {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  let last: { at: number; watched: Promise<Watched> } | undefined;
  return () => {
    if (!last || Date.now() - last.at > freshMs) last = { at: Date.now(), watched: look(services, workers) };
    return last.watched;
  };
}

async function look(services: readonly HostedService[], workers: HostedWorkers): Promise<Watched> {
  const watched: Watched = { queues: new Map(), checks: new Map() };
  // A figure that cannot be read now is absent; the gauge must not repeat its last value.
  for (const gauge of Object.values(figures)) gauge.reset();
  for (const [queue, polls] of await workers.states()) figures.workerPolling.set({ queue }, polls ? 1 : 0);
  await Promise.all(
    services.flatMap(({ name, sql, temporal }) => [
      measure(name, 'postgres', lookAtTables(name, sql)),
      measure(name, 'temporal', lookAtTemporal(name, temporal, watched)),
    ]),
  );
  return watched;
}

async function lookAtTemporal(service: Hosted, temporal: Client, watched: Watched): Promise<void> {
  const lookAtQueues = queuesOf(service).map(async (queue) => {
    const state = await lookAtQueue(temporal, queue, withinMs);
    watched.queues.set(queue, state);
    figures.queuePollers.set({ queue }, state.pollers);
    figures.queueBacklog.set({ queue }, state.backlog);
    figures.queueBacklogAge.set({ queue }, state.ageSeconds);
  });
  const lookAtChecks = (checks[service] ?? []).map(async ({ check, scheduleId }) => {
    const { createdAt, completedAt } = await lookAtSchedule(temporal, scheduleId, withinMs);
    if (completedAt) watched.checks.set(check, completedAt);
    const since = completedAt ?? createdAt;
    if (since) figures.checkLastEnd.set({ check }, since.getTime() / 1_000);
  });
  await Promise.all([...lookAtQueues, ...lookAtChecks]);
}

async function lookAtTables(service: Hosted, sql: Sql): Promise<void> {
  const schema = outboxServices.find((name) => name === service);
  await Promise.all([...(schema ? [lookAtEvents(schema, sql)] : []), tables[service]?.(sql)]);
}

async function lookAtEvents(service: (typeof outboxServices)[number], sql: Sql): Promise<void> {
  const [outbox, deliveries] = await Promise.all([
    measureOutbox(sql, service),
    measureDeliveries(sql, service),
  ]);
  figures.outboxUnshipped.set({ service }, outbox.count);
  figures.outboxAge.set({ service }, outbox.ageSeconds);
  figures.outboxDead.set({ service }, outbox.dead);
  figures.deliveriesPending.set({ service }, deliveries.count);
  figures.deliveriesAge.set({ service }, deliveries.ageSeconds);
  figures.deliveriesDead.set({ service }, deliveries.dead);
}

const tables: Partial<Record<Hosted, (sql: Sql) => Promise<void>>> = {
  async router(sql) {
    const { count, ageSeconds, dead } = await measureCallbacks(sql);
    figures.callbacksPending.set({ service: 'router' }, count);
    figures.callbacksAge.set({ service: 'router' }, ageSeconds);
    figures.callbacksDead.set({ service: 'router' }, dead);
  },
  async orchestrator(sql) {
    const [runs, dunnings, closesAge] = await Promise.all([
      measurePendingRuns(sql),
      countOpenDunnings(sql),
      measureOpenCloses(sql),
    ]);
    figures.runsPending.set({ service: 'orchestrator' }, runs.count);
    figures.runsAge.set({ service: 'orchestrator' }, runs.ageSeconds);
    figures.recoveriesOpen.set({ service: 'orchestrator' }, dunnings);
    figures.closesAge.set({ service: 'orchestrator' }, closesAge);
  },
  async bridge(sql) {
    const { count, ageSeconds } = await measurePendingSyncs(sql);
    figures.emrSyncsPending.set({ service: 'bridge' }, count);
    figures.emrSyncsAge.set({ service: 'bridge' }, ageSeconds);
  },
  async worklist(sql) {
    for (const { kind, open, overdue, ageSeconds } of await measureItems(sql)) {
      figures.workItemsOpen.set({ kind }, open);
      figures.workItemsOverdue.set({ kind }, overdue);
      figures.workItemsAge.set({ kind }, ageSeconds);
    }
  },
};

/** Sets `figures_up` to 1 if the lookup succeeds in time, else to 0. */
async function measure(service: Hosted, from: 'postgres' | 'temporal', lookup: Promise<unknown>) {
  figures.looked.set({ service, from }, (await succeeds(withinMs, lookup)) ? 1 : 0);
}

/** The result, or undefined if it takes longer. */
export const within = <T>(ms: number, pending: Promise<T>): Promise<T | undefined> =>
  Promise.race([pending, new Promise<undefined>((resolve) => setTimeout(resolve, ms, undefined).unref())]);

export const succeeds = async (ms: number, pending: Promise<unknown>): Promise<boolean> =>
  (await within(
    ms,
    pending.then(() => true).catch(() => false),
  )) ?? false;
