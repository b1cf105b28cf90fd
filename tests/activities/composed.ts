import { consumersOf, subscriptions } from '../../domain/events.js';
import type { DatabaseRole } from '../../platform/service-names.js';
import { queues } from '../../workers/hosted-queues.js';
import { queueOwners, type TaskQueue } from '../../workflows/queues.js';
import { bridge } from './bridge/twice.js';
import { intake } from './intake/twice.js';
import { notification } from './notification/twice.js';
import { orchestrator } from './orchestrator/twice.js';
import { organization } from './organization/twice.js';
import { patients } from './patients/twice.js';
import { contextOf } from './real-parts.js';
import { retention } from './retention/twice.js';
import { router } from './router/twice.js';
import { worklist } from './worklist/twice.js';
import type { Entry } from './twice.js';

export type Activity = (input: unknown) => Promise<unknown>;

/**
 * By service. An activity that its workers run and that has no entry here fails by its name, and so does the reverse.
 */
export const entries: Partial<Record<DatabaseRole, Record<string, Entry>>> = {
  bridge,
  intake,
  notification,
  orchestrator,
  organization,
  patients,
  retention,
  router,
  worklist,
};

const taskQueueNames = Object.keys(queueOwners) as TaskQueue[];

/** The activities of a service's workers by name; for `consumeEvent`, by the type of event. */
export function composed(service: DatabaseRole): Record<string, Activity> {
  const activities = Object.assign(
    {},
    ...taskQueueNames
      .filter((queue) => queueOwners[queue] === service)
      .map((queue) => queues[queue].activities(contextOf(service))),
  ) as Record<string, Activity>;
  return Object.fromEntries(
    Object.entries(activities).flatMap(([name, activity]) => {
      if (name !== 'consumeEvent') return [[name, activity]];
      return eventsOf(service).map((type) => [`${name} ${type}`, activity]);
    }),
  );
}

const eventsOf = (service: DatabaseRole): readonly string[] => [
  ...(service in subscriptions ? subscriptions[service as keyof typeof subscriptions] : []),
  ...(consumersOf({ source: service, detailType: '' }).includes('sink') ? ['sink'] : []),
];

/** Services with workers. */
export const hosting = [...new Set<DatabaseRole>(Object.values(queueOwners))];
