import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { asAdmin, type Entry, type LogPage, refusedPhone, send } from './notification.js';

const mailbox = randomUUID();
const email = `${mailbox}@Example.test`;
/** In the order of their sending. */
const sent: string[] = [];
const log = <T = LogPage>(query: Record<string, string>) =>
  asAdmin<T>('GET', `/log?${new URLSearchParams(query).toString()}`);
const own = async (query: Record<string, string> = {}): Promise<Entry[]> =>
  (await log({ recipient: email, ...query })).body.entries;
const idsOf = (entries: Entry[]) => entries.map(({ id }) => id);

beforeAll(async () => {
  const phone = refusedPhone;
  for (const [type, channels] of [
    ['delivered', ['email']],
    ['delivered', ['email', 'sms']],
    ['otp', ['sms']],
    ['otp', ['email']],
    ['welcome', []],
  ] as const)
    sent.push((await send({ type, recipient: { email, phone }, variables: {}, channels })).body.logId);
});

describe('GET /notify/log', () => {
  test('200 newest first, for an address in any case of its letters', async () => {
    const entries = await own();
    expect(idsOf(entries)).toEqual([...sent].reverse());
    expect(idsOf(await own({ recipient: email.toUpperCase() }))).toEqual([...sent].reverse());
    expect(entries[3]).toEqual({
      id: sent[1],
      notificationType: 'delivered',
      recipientEmail: email,
      recipientPhone: refusedPhone,
      channels: [
        { channel: 'email', status: 'sent', providerMessageId: expect.any(String) },
        { channel: 'sms', status: 'failed', error: 'SMS provider rejected the message (21614)' },
      ],
      status: 'partial',
      missingVariables: ['patientName', 'medication', 'trackingNumber'],
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
    });
  });

  test('200 page by page finds each once', async () => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: LogPage } = await log({
        recipient: email,
        limit: '2',
        ...(cursor === null ? {} : { cursor }),
      });
      expect(body.entries.length).toBeLessThanOrEqual(2);
      found.push(...idsOf(body.entries));
      cursor = body.nextCursor;
    } while (cursor !== null);
    expect(found).toEqual([...sent].reverse());
  });

  test('200 filtered by type, by status, and by both', async () => {
    expect(idsOf(await own({ type: 'otp' }))).toEqual([sent[3], sent[2]]);
    expect(idsOf(await own({ status: 'partial' }))).toEqual([sent[1]]);
    expect(idsOf(await own({ status: 'failed' }))).toEqual([sent[2]]);
    expect(idsOf(await own({ status: 'sent', type: 'delivered' }))).toEqual([sent[0]]);
    expect(idsOf(await own({ status: 'failed', type: 'delivered' }))).toEqual([]);
  });

  test('200 filtered by time, both ends included', async () => {
    const entries = await own();
    const [from, to] = [entries[3]!.createdAt, entries[1]!.createdAt];
    expect(idsOf(await own({ from, to }))).toEqual(expect.arrayContaining([sent[1]!, sent[2]!, sent[3]!]));
    expect(idsOf(await own({ from: '2999-01-01T00:00:00Z' }))).toEqual([]);
    expect(idsOf(await own({ to: '2001-01-01T00:00:00+02:00' }))).toEqual([]);
    expect(await own({ from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59.999Z' })).toHaveLength(5);
  });

  test('200 filtered by a phone number as it was written', async () => {
    const phone = `+1${String(Date.now()).slice(-10)}`;
    const answer = await send({ type: 'welcome', recipient: { phone }, variables: {}, channels: ['sms'] });
    expect((await log({ recipient: phone })).body.entries).toMatchObject([
      { id: answer.body.logId, recipientEmail: null, recipientPhone: phone, status: 'sent' },
    ]);
  });

  test('200 with nothing for an address that nothing went to', async () => {
    expect((await log({ recipient: `nobody-${mailbox}@example.test` })).body).toEqual({
      entries: [],
      nextCursor: null,
    });
  });

  test.each<[string, string]>([
    ['type', 'parcel'],
    ['cursor', 'abc'],
    ['cursor', '!'],
    ['cursor', Buffer.from('"x"').toString('base64url')],
    ['cursor', Buffer.from('{"id":1}').toString('base64url')],
  ])('400 names %s when it is %j', async (path, value) => {
    expect(await log<object>({ [path]: value })).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: [{ path, message: expect.any(String) }] },
    });
  });

  test.each([
    'recipient=%00',
    'recipient=a&recipient=b',
    'type=otp&type=otp',
    'limit[]=1',
    'recipient=%ff',
    'from=%ED%A0%80',
  ])('never 5xx for ?%s', async (query) =>
    expect((await asAdmin('GET', `/log?${query}`)).status).toBeLessThan(500),
  );
});
