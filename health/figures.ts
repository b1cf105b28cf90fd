import { collectDefaultMetrics } from 'prom-client';
import type { Client } from '@temporalio/client';
import { measurePendingSyncs } from '../db/bridge/sync-attempts.js';
import type { Sql } from '../db/client.js';
import { measureDeliveries } from '../db/event-deliveries.js';
import { countOpenDunnings } from '../db/orchestrator/dunning.js';
import { measurePendingRuns } from '../db/orchestrator/runs.js';
import { measureOutbox } from '../db/outbox.js';
import { outboxServices } from '../db/redrive.js';
import { measureCallbacks } from '../db/router/callbacks.js';
import { measureItems } from '../db/worklist/items.js';
import type { HostedWorkers } from '../platform/hosted-workers.js';
import { figures, registry } from '../platform/metrics.js';
import type { Hosted } from '../platform/service-names.js';
import type { WorkflowName } from '../starts/runs.js';
import { lastCompleted, lookAtQueue, type QueueState } from '../starts/looking.js';
import type { TaskQueue } from '../workflows/queues.js';

/** A service of which this process hosts the API, workers, or both. */
export interface HostedService {
  name: Hosted;
  sql: Sql;
  temporal: Client;
}

/** Whose queue each is, as `workers/hosted-queues.ts` has it, which a process without workers does not load. */
export const queueOwners: Record<TaskQueue, Hosted> = {
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
};
const queuesOf = (service: Hosted): TaskQueue[] =>
  (Object.keys(queueOwners) as TaskQueue[]).filter((queue) => queueOwners[queue] === service);

/** What each service does by itself, by the run that does it. */
const checks: Partial<Record<Hosted, { check: string; workflow: WorkflowName }>> = {
  orchestrator: { check: 'refill_check', workflow: 'refillCheck' },
  router: { check: 'silence_check', workflow: 'checkSilence' },
  retention: { check: 'retention', workflow: 'applyRetention' },
};

/** What Temporal has to say of the queues and checks of these services. */
export interface Watched {
  queues: Map<TaskQueue, QueueState>;
  checks: Map<string, Date>;
}

/** Under what scrapers wait. A figure that is not there in time is left out, and `figures_up` says so. */
const withinMs = 4_000;
/** However many ask, servers are asked no oftener. */
const freshMs = 5_000;

/** Looks up what is told of the services of this process, at most every few seconds. */
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
  // What cannot be looked up now is told by nobody, rather than as it was.
  for (const gauge of Object.values(figures)) gauge.reset();
  for (const [queue, polls] of await workers.states()) figures.workerPolling.set({ queue }, polls ? 1 : 0);
  await Promise.all(
    services.flatMap(({ name, sql, temporal }) => [
      noting(name, 'postgres', () => lookAtTables(name, sql)),
      noting(name, 'temporal', async () => {
        await Promise.all([
          ...queuesOf(name).map(async (queue) => {
            const state = await lookAtQueue(temporal, queue, withinMs);
            watched.queues.set(queue, state);
            figures.queuePollers.set({ queue }, state.pollers);
            figures.queueBacklog.set({ queue }, state.backlog);
            figures.queueBacklogAge.set({ queue }, state.ageSeconds);
          }),
          lookAtCheck(name, temporal, watched),
        ]);
      }),
    ]),
  );
  return watched;
}

async function lookAtCheck(service: Hosted, temporal: Client, watched: Watched): Promise<void> {
  const own = checks[service];
  if (!own) return;
  const at = await lastCompleted(temporal, own.workflow, withinMs);
  if (!at) return;
  watched.checks.set(own.check, at);
  figures.checkLastEnd.set({ check: own.check }, at.getTime() / 1_000);
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

/** What only one service has. */
const tables: Partial<Record<Hosted, (sql: Sql) => Promise<void>>> = {
  async router(sql) {
    const { count, ageSeconds, dead } = await measureCallbacks(sql);
    figures.callbacksPending.set({ service: 'router' }, count);
    figures.callbacksAge.set({ service: 'router' }, ageSeconds);
    figures.callbacksDead.set({ service: 'router' }, dead);
  },
  async orchestrator(sql) {
    const [runs, recoveries] = await Promise.all([measurePendingRuns(sql), countOpenDunnings(sql)]);
    figures.runsPending.set({ service: 'orchestrator' }, runs.count);
    figures.runsAge.set({ service: 'orchestrator' }, runs.ageSeconds);
    figures.recoveriesOpen.set({ service: 'orchestrator' }, recoveries);
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

/** Says in `figures_up` whether a look came to an end in time. */
async function noting(
  service: Hosted,
  from: 'postgres' | 'temporal',
  lookUp: () => Promise<unknown>,
): Promise<void> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, withinMs, false).unref());
  const done = lookUp().then(
    () => true,
    () => false,
  );
  figures.looked.set({ service, from }, (await Promise.race([done, late])) ? 1 : 0);
}
