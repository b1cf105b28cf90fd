import { ApplicationFailure } from '@temporalio/common';
import { afterAll, describe, expect, test } from '@jest/globals';
import { consumersOf, subscriptions } from '../../domain/events.js';
import type { DatabaseRole } from '../../platform/service-names.js';
import { queues } from '../../workers/hosted-queues.js';
import { bridge } from './bridge/twice.js';
import { intake } from './intake/twice.js';
import { notification } from './notification/twice.js';
import { orchestrator } from './orchestrator/twice.js';
import { organization } from './organization/twice.js';
import { patients } from './patients/twice.js';
import { closeParts, contextOf, running } from './real-parts.js';
import { retention } from './retention/twice.js';
import { router } from './router/twice.js';
import { worklist } from './worklist/twice.js';
import type { Arranged, Entry } from './twice.js';

type Activity = (input: unknown) => Promise<unknown>;

/** By service. An activity that its workers run and that has no entry here fails by its name, and so does the reverse. */
const table: Partial<Record<DatabaseRole, Record<string, Entry>>> = {
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

afterAll(closeParts);

/** What the workers of a service run, by name; of `consumeEvent`, by the type of event. */
function composed(service: DatabaseRole): Record<string, Activity> {
  const activities = Object.assign(
    {},
    ...Object.values(queues)
      .filter((queue) => queue.service === service)
      .map((queue) => queue.activities(contextOf(service))),
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

const hosting = [...new Set(Object.values(queues).map(({ service }) => service))];

describe.each(hosting)('%s', (service) => {
  const activities = composed(service);
  const entries = table[service] ?? {};
  const names = Object.keys(entries);

  test('has an entry for every activity of its workers, and no other', () => {
    expect(names.sort()).toEqual(Object.keys(activities).sort());
  });

  test.each(names)('%s run twice has one effect', async (name) => {
    const activity = activities[name]!;
    const arranged: Arranged<unknown> = await entries[name]!();
    const { input, answers, seen, once, meanwhile, atLeastOnce } = arranged;

    const answer = await running(activity, input);
    expect(answer).toEqual(answers);
    expect(await seen?.()).toEqual(once);

    await meanwhile?.();
    const before = await seen?.();
    const repeated = await running(activity, input, 2);
    expect(repeated).toEqual('thenAnswers' in arranged ? arranged.thenAnswers : answer);
    expect(await seen?.()).toEqual(atLeastOnce === undefined ? before : [before, before].flat());
  });

  test.each(names)('%s run twice at once has one effect', async (name) => {
    const arranged: Arranged<unknown> = await entries[name]!();
    const { input, answers, thenAnswers, seen, once, atLeastOnce } = arranged;
    const given = await Promise.all([1, 2].map((attempt) => untilDone(activities[name]!, input, attempt)));
    const expected = 'thenAnswers' in arranged ? [answers, thenAnswers] : [answers];
    for (const answer of given) expect(expected).toContainEqual(answer);
    expect(await seen?.()).toEqual(atLeastOnce === undefined ? once : [once, once].flat());
  });
});

/** As Temporal does: what fails and is not refused is run again. */
const untilDone = (activity: Activity, input: unknown, attempt: number): Promise<unknown> =>
  running(activity, input, attempt).catch((error: unknown) => {
    if (error instanceof ApplicationFailure && error.nonRetryable === true) throw error;
    return running(activity, input, attempt + 1);
  });
