import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { publishEvent } from '../../../db/outbox.js';
import { type EventSubscriber, subscriptions } from '../../../domain/events.js';
import { eventually, shared } from '../../helpers/client.js';

let sql: Sql;
beforeAll(() => void (sql = createSql(shared().databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

/** The service whose events have names that begin so. */
const sources: Record<string, string> = {
  admin: 'organization',
  organization: 'organization',
  patient: 'patients',
  emr: 'bridge',
  intake: 'intake',
  work_item: 'orchestrator',
  order: 'router',
  payment: 'orchestrator',
  plan: 'orchestrator',
  refill: 'orchestrator',
};

const cases = (Object.keys(subscriptions) as EventSubscriber[]).flatMap((subscriber) =>
  subscriptions[subscriber].map((detailType) => ({ subscriber, detailType })),
);

test.each(cases)(
  '$subscriber refuses a malformed $detailType at the first attempt',
  async ({ subscriber, detailType }) => {
    const source = sources[detailType.split('.')[0]!]!;
    const event = { detailType, aggregateId: randomUUID(), detail: {} };
    const id = await publishEvent(sql, source, event);
    const delivery = await eventually(async () => {
      const [row] = await sql<{ state: string; attempts: number }[]>`
        select state, attempts from ${sql(`${source}.event_delivery`)}
        where event_id = ${id} and consumer = ${subscriber} and attempts > 0
      `;
      return row;
    });
    expect(delivery).toEqual({ state: 'dead', attempts: 1 });
  },
);
