import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createSql, type Sql } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { listCallbacks } from '../../db/router/callbacks.js';
import { shared } from '../helpers/client.js';
import { batchesOf, holds, shortestFailure } from './check.js';
import {
  type Aggregate,
  aggregates,
  answers,
  type Command,
  type Entry,
  judgeArrivals,
} from './queue-model.js';
import { callbacks, egress, events, type MakeQueue } from './queues.js';

const dev = shared();
// A database of its own: no worker of the shared system delivers what stands in its tables.
const name = `models_${randomUUID().replaceAll('-', '')}`;
let owner: Sql;
let sql: Sql;
beforeAll(async () => {
  owner = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  await owner.unsafe(`create database ${name}`);
  const url = new URL(dev.databaseUrl);
  url.pathname = `/${name}`;
  await migrate({ databaseUrl: url.href, serviceDatabaseUrls: {} });
  sql = createSql(url.href, { applicationName: 'test', max: 8 });
});
afterAll(async () => {
  await sql.end();
  await owner.unsafe(`drop database ${name}`);
  await owner.end();
});

/** The longest that a story's queue can be after it: what is driven again may be given up no more. */
const mostTurns = 100;

/** Lives a story, and then delivers all that is left. @throws what the model finds wrong with it */
async function live(story: Command[][], make: MakeQueue, isHeldUp: boolean): Promise<void> {
  const entries: Entry[] = [];
  const given = new Map<Aggregate, (typeof answers)[number]>();
  const queue = await make(
    sql,
    (of, item, id) => void entries.push({ what: 'arrived', of, item, id, answer: given.get(of) ?? 'taken' }),
  );
  let isStopped = false;
  // One run delivers an aggregate's items, as its workflow id is one.
  const runs = new Map<Aggregate, Promise<unknown>>();
  const turn = (of: Aggregate, answer: (typeof answers)[number]): Promise<boolean> => {
    const own = (runs.get(of) ?? Promise.resolve()).then(() => {
      given.set(of, answer);
      return queue.turn(of, answer);
    });
    runs.set(of, own);
    return own;
  };
  const redrive = async (of: Aggregate) => {
    entries.push({ what: 'redriven', of });
    await queue.redrive(of);
  };
  const act = async (command: Command, batch: number): Promise<unknown> => {
    switch (command.do) {
      case 'add': {
        const { of } = command;
        return entries.push({ what: 'added', of, item: await queue.add(of), batch });
      }
      case 'turn':
        return isStopped || turn(command.of, command.answer);
      case 'redrive':
        return redrive(command.of);
      default:
        isStopped = command.do === 'stop';
        return undefined;
    }
  };
  for (const [batch, together] of story.entries()) {
    // A turn finds items that were added before it: the items of one batch come first.
    const added = together.filter((command) => command.do === 'add');
    await Promise.all(added.map((command) => act(command, batch)));
    await Promise.all(
      together.filter((command) => command.do !== 'add').map((command) => act(command, batch)),
    );
  }
  for (const of of aggregates) {
    await redrive(of);
    for (let turns = 0; (await turn(of, 'taken')) && turns < mostTurns; turns += 1);
  }
  judgeArrivals(entries, isHeldUp);
}

const of = fc.constantFrom(...aggregates);
const stories = batchesOf<Command>(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('add' as const), of }) },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('turn' as const), of, answer: fc.constantFrom(...answers) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('redrive' as const), of }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('stop' as const, 'start' as const) }) },
  ),
  { batches: 8, atOnce: 3 },
);
const runs = 100;
const add = { do: 'add', of: 'a' };
/** The two that it takes; a last one that changes nothing is not shrunk away. */
const atMost = 3;

test('the callbacks of a submission arrive in their order, each until it is taken, and none after it', async () => {
  await holds(stories, runs, (story) => live(story, callbacks(), false));
});

test('the control: a reader that takes the newest callback first is told by two that were added', async () => {
  const newestFirst = callbacks((own, sql) => ({
    nextCallback: async (queue) => {
      const [next, listed] = [await own.nextCallback(queue), await listCallbacks(sql, queue.submissionId)];
      const newest = listed.filter(({ state }) => state === 'pending').at(-1);
      return next && newest ? { ...next, callbackId: newest.id } : next;
    },
  }));
  const { story, found, firstFound } = await shortestFailure(stories, runs, (story) =>
    live(story, newestFirst, false),
  );
  expect(found).toContain('arrived after one that was added later');
  expect(story.slice(0, 2)).toEqual([[add], [add]]);
  expect(story.flat().length).toBeLessThanOrEqual(atMost);
  expect(firstFound.flat().length).toBeGreaterThan(atMost);
});

test('the events of a record arrive in their order, and behind what was given up they wait', async () => {
  await holds(stories, runs, (story) => live(story, events(), true));
});

test('the control: a recorder that writes off what was refused is told by one event and its refusal', async () => {
  const writingOff = events((own) => ({
    recordEventDelivery: (attempt) =>
      own.recordEventDelivery(
        attempt.verdict.state === 'dead' ? { ...attempt, verdict: { state: 'delivered' } } : attempt,
      ),
  }));
  const { story, found } = await shortestFailure(stories, runs, (story) => live(story, writingOff, true));
  expect(found).toContain('was lost');
  expect(story.flat().slice(0, 2)).toEqual([add, { do: 'turn', of: 'a', answer: 'refused' }]);
  expect(story.flat().length).toBeLessThanOrEqual(atMost);
});

test('a change reaches the EMR until it is taken, once however often it is asked for', async () => {
  await holds(stories, runs, (story) => live(story, egress(), false));
});

test('the control: keys that are new each time are told by a change that is asked for twice', async () => {
  const { story, found } = await shortestFailure(stories, runs, (story) =>
    live(
      story,
      egress(() => randomUUID()),
      false,
    ),
  );
  expect(found).toContain('arrived again after it was taken');
  expect(story.flat().slice(0, 2)).toEqual([add, add]);
  expect(story.flat().length).toBeLessThanOrEqual(atMost);
});
