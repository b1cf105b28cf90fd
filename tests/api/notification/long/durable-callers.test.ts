import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { noteChannel } from '../../../../db/notification/deliveries.js';
import { claimNotification } from '../../../../db/notification/delivery-claims.js';
import type { DevJson } from '../../../../dev/dev-json.js';
import type { Notification } from '../../../../domain/notification/notification.js';
import { jsonHash } from '../../../../platform/crypto/ids.js';
import { logIdOfKey } from '../../../../api/notification/send.js';
import { withKey } from '../../../cli/rx.js';
import { atOnce, call, eventually } from '../../../helpers/client.js';
import { openTemporal, type TemporalView } from '../../../helpers/temporal-view.js';
import { dev as shared, messagesWith, refusedPhone, type Sent } from '../notification.js';

let dev: DevJson;
let sql: Sql;
let temporal: TemporalView;
beforeAll(async () => {
  dev = await withKey(shared, 'durable', '--scopes', 'notification', '--durable');
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  temporal = await openTemporal(dev);
});
afterAll(async () => {
  await temporal.close();
  await sql.end();
});

/** A message over e-mail and text that nobody else sends: found by its tracking number. */
const message = (changes: object = {}) => {
  const trackingNumber = randomUUID();
  return {
    idempotencyKey: randomUUID(),
    trackingNumber,
    body: {
      type: 'delivered' as const,
      recipient: { email: `${trackingNumber}@example.test`, phone: '2125550100' },
      variables: { patientName: 'Ada', medication: 'Semaglutide', trackingNumber },
      channels: ['email' as const, 'sms' as const],
      ...changes,
    },
  };
};
type Message = ReturnType<typeof message>;
const send = ({ idempotencyKey, body }: Pick<Message, 'idempotencyKey' | 'body'>, key = 'durable') =>
  call<Sent>(dev, 'notification', {
    key,
    method: 'POST',
    path: '/notify/send',
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });
const channelsOf = async ({ trackingNumber }: Message) =>
  (await messagesWith(trackingNumber)).map(({ channel }) => channel).sort();
const hasRun = async (logId: string) => (await temporal.statusOf(`notification:${logId}`)) !== undefined;
const rowOf = async (logId: string) => {
  const [row] = await sql`select status, first_try from notification.delivery where id = ${logId}`;
  return row;
};
const eventsOf = (logId: string) => sql`select outcome from access.access_event where record = ${logId}`;

/** A first try whose process has ended before it sent anything, or before it heard of it. */
async function abandoned({ idempotencyKey, body }: Message): Promise<Notification> {
  const clientId = dev.apiKeys['durable']!.key;
  const logId = logIdOfKey(clientId, idempotencyKey);
  const notification = { ...body, logId, clientId, bodyHash: jsonHash(body) };
  await claimNotification(sql, notification, { webhooks: [], by: 'service' });
  return notification;
}

describe('a notification of a durable caller (D113)', () => {
  test('is sent and recorded without a run; a repeat gets the recorded answer', async () => {
    const asked = message();
    const first = await send(asked);
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(first.body).toEqual({
      success: true,
      channels: ['email', 'sms'].map((channel) => ({
        channel,
        status: 'sent',
        providerMessageId: expect.any(String),
      })),
      logId: logIdOfKey(dev.apiKeys['durable']!.key, asked.idempotencyKey),
    });
    const { logId } = first.body;
    expect(await rowOf(logId)).toEqual({ status: 'sent', firstTry: null });
    expect(await eventsOf(logId)).toEqual([{ outcome: 'allowed' }]);

    const again = await send(asked);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      200,
      first.body,
      'true',
    ]);
    expect(await channelsOf(asked)).toEqual(['email', 'sms']);
    expect(await hasRun(logId)).toBe(false);
  });

  test('many times at once is one message each, and one answer', async () => {
    const asked = message();
    const answers = await atOnce(8, () => send(asked));
    const told = answers.map(({ status, body }) => ({ status, body }));
    expect(told).toEqual(told.map(() => ({ status: 200, body: told[0]?.body })));
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await channelsOf(asked)).toEqual(['email', 'sms']);
  });

  test.each([
    ['a number that the provider refuses', { recipient: { phone: refusedPhone }, channels: ['sms'] }],
    [
      'one channel that fails beside one that delivers',
      { recipient: { email: 'a@example.test', phone: refusedPhone } },
    ],
    ['nothing to deliver', { recipient: { phone: '2125550100' }, channels: ['email'] }],
  ])('with %s is answered as by a run, and has none', async (_name, changes) => {
    const byRun = await send(message(changes), 'notifier');
    const here = await send(message(changes));
    const told = ({ status, body: { logId: _id, channels, ...rest } }: typeof here) => [
      status,
      rest,
      channels.map(({ providerMessageId: _id, ...result }) => result),
    ];
    expect(told(here)).toEqual(told(byRun));
    expect([await hasRun(byRun.body.logId), await hasRun(here.body.logId)]).toEqual([true, false]);
  });

  test('with another body under a key in use is 409', async () => {
    const asked = message();
    await send(asked);
    const other = { ...asked, body: { ...asked.body, channels: ['email' as const] } };
    expect(await send(other)).toMatchObject({ status: 409, body: { error: expect.any(String) } });
  });
});

describe('a first try whose process has ended', () => {
  test('is taken over by a repeat at once', async () => {
    const asked = message();
    const { logId } = await abandoned(asked);
    const { status, body } = await send(asked);
    expect([status, body.logId, await hasRun(logId)]).toEqual([200, logId, true]);
    expect(await rowOf(logId)).toEqual({ status: 'sent', firstTry: null });
    expect(await channelsOf(asked)).toEqual(['email', 'sms']);
  });

  test('leaves alone what it noted as sent: a text that left does not leave again', async () => {
    const asked = message();
    const { logId } = await abandoned(asked);
    const left = { channel: 'sms' as const, status: 'sent' as const, providerMessageId: 'SM1' };
    await noteChannel(sql, logId, left);
    const { body } = await send(asked);
    expect(body.channels).toEqual([expect.objectContaining({ channel: 'email', status: 'sent' }), left]);
    expect(await channelsOf(asked)).toEqual(['email']);
  });

  test('is taken over by a sweep when nobody asks again', async () => {
    const asked = message();
    const { logId } = await abandoned(asked);
    const row = await eventually(async () => {
      const row = await rowOf(logId);
      return row?.['status'] !== null && row;
    });
    expect(row).toEqual({ status: 'sent', firstTry: null });
    expect(await channelsOf(asked)).toEqual(['email', 'sms']);
    expect(await hasRun(logId)).toBe(true);
  });

  test('keeps names and variables only until a run has it', async () => {
    const notification = await abandoned(message());
    expect(await rowOf(notification.logId)).toEqual({ status: null, firstTry: notification });
    await claimNotification(sql, { ...notification, takesOver: [] }, { webhooks: [], by: 'run' });
    expect(await rowOf(notification.logId)).toEqual({ status: null, firstTry: null });
  });
});
