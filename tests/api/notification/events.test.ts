import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { publishEvent } from '../../../db/outbox.js';
import { eventually } from '../../helpers/client.js';
import { asAdmin, dev, type LogPage, messagesWith } from './notification.js';

let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
});
afterAll(() => sql.end());

const publish = (detailType: string, organizationId: string | null, detail: Record<string, string>) =>
  publishEvent(sql, 'organization', {
    detailType,
    aggregateId: randomUUID(),
    organizationId,
    detail,
  });
const deliveryOf = async (eventId: string) => {
  const [row] = await sql<{ state: string }[]>`
    select state from organization.event_delivery where event_id = ${eventId} and consumer = 'notification'
  `;
  return row?.state;
};

/** As after an answer that was lost on its way. */
const tellAgain = (eventId: string) =>
  sql.begin(async (sql) => {
    await sql`
      update organization.event_delivery
      set state = 'pending', settled_at = null, attempts = 0, due_at = null, first_attempt_at = null
      where event_id = ${eventId}
    `;
    await sql`update organization.outbox set shipped_at = null where id = ${eventId}`;
    await sql`select pg_notify('organization_outbox', '')`;
  });

describe('the event admin.user_invited', () => {
  test('mails the invited admin the way in, once however often it is told', async () => {
    const email = `${randomUUID()}@example.test`;
    const detail = { adminUserId: randomUUID(), email, displayName: 'Grace' };
    const eventId = await publish('admin.user_invited', null, detail);
    const [message] = await eventually(async () => {
      const messages = await messagesWith(email);
      return messages.length > 0 && messages;
    });
    expect(message).toMatchObject({ channel: 'email', to: email, subject: 'Your sign-in link' });
    expect(message!.text).toContain(`Sign in: ${dev.services.organization}/docs`);

    await eventually(async () => (await deliveryOf(eventId)) === 'delivered');
    await tellAgain(eventId);
    await eventually(async () => (await deliveryOf(eventId)) === 'delivered');
    const { body } = await asAdmin<LogPage>('GET', `/log?recipient=${email}`);
    expect(body.entries).toMatchObject([
      { notificationType: 'magic_link', status: 'sent', missingVariables: [] },
    ]);
    expect(await messagesWith(email)).toHaveLength(1);
  });

  test('without an address can never be mailed, and ends as a dead letter', async () => {
    const eventId = await publish('admin.user_invited', null, { displayName: 'Grace', email: 'nobody' });
    await eventually(async () => (await deliveryOf(eventId)) === 'dead');
  });
});

describe('the event organization.created', () => {
  test('is recorded', async () => {
    const organizationId = randomUUID();
    const eventId = await publish('organization.created', organizationId, { organizationId });
    const [record] = await eventually(async () => {
      const rows = await sql`select id, event_id from notification.organization where id = ${organizationId}`;
      return rows.length > 0 && rows;
    });
    expect(record).toEqual({ id: organizationId, eventId });
    await eventually(async () => (await deliveryOf(eventId)) === 'delivered');
  });
});
