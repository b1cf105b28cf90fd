import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { atOnce } from '../../helpers/client.js';
import { asAdmin, type LogPage, messagesWith, refusedPhone, send } from './notification.js';

/** A notification that nobody else sends: found by its order number. */
const order = (changes: object = {}) => {
  const orderNumber = randomUUID();
  const body = {
    type: 'receipt',
    recipient: { email: `${orderNumber}@example.test`, phone: '(212) 555-0100', name: 'Ada' },
    variables: { patientName: 'Ada', amount: '$50', orderNumber },
    ...changes,
  };
  return { orderNumber, body };
};
const tracking = () => {
  const trackingNumber = randomUUID();
  return {
    trackingNumber,
    type: 'delivered',
    recipient: { email: `${trackingNumber}@example.test`, phone: '2125550100' },
    variables: { patientName: 'Ada', medication: 'Semaglutide', trackingNumber },
  };
};
const entryOf = async (email: string) => {
  const { body } = await asAdmin<LogPage>('GET', `/log?recipient=${encodeURIComponent(email)}`);
  return body.entries;
};
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe('POST /notify/send', () => {
  test.each(['magic_link', 'abandoned_checkout'])(
    '200: %s names the intake type in plain words, and without one leaves the sentence out',
    async (type) => {
      const mailFor = async (intakeType: string) => {
        const magicLinkUrl = `https://portal.example.test/${randomUUID()}`;
        await send({
          type,
          recipient: { email: `${randomUUID()}@example.test` },
          variables: { magicLinkUrl, intakeType },
        });
        return (await messagesWith(magicLinkUrl))[0]!;
      };
      const [named, bare] = [await mailFor('micro'), await mailFor('')];
      for (const part of ['text', 'html'] as const) {
        expect(named[part]).toContain('. This is about your microdose intake.');
        expect(bare[part]).not.toMatch(/This is about|\. +[<\n]/);
      }
    },
  );

  test('200 over the channel configured for the type, which is e-mail alone', async () => {
    const { orderNumber, body } = order();
    const answer = await send(body);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        channels: [{ channel: 'email', status: 'sent', providerMessageId: expect.any(String) }],
        logId: uuid,
      },
    ]);
    const [message, ...more] = await messagesWith(orderNumber);
    expect(more).toEqual([]);
    expect(message).toMatchObject({
      channel: 'email',
      to: `${orderNumber}@example.test`,
      subject: 'Your receipt',
    });
    expect(message!.text).toContain(`Thank you for your payment of $50 for order ${orderNumber}.`);
    expect(await entryOf(`${orderNumber}@example.test`)).toEqual([
      {
        id: answer.body.logId,
        notificationType: 'receipt',
        recipientEmail: `${orderNumber}@example.test`,
        recipientPhone: '(212) 555-0100',
        channels: answer.body.channels,
        status: 'sent',
        missingVariables: [],
        createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      },
    ]);
  });

  test('200 over the channels that the sender names, each with its own text', async () => {
    const { trackingNumber, ...body } = tracking();
    const answer = await send({ ...body, channels: ['email', 'sms', 'chat', 'crm', 'email'] });
    expect(answer.body).toMatchObject({
      success: true,
      channels: [
        { channel: 'email', status: 'sent' },
        { channel: 'sms', status: 'sent', providerMessageId: expect.stringMatching(/^SM/) },
        { channel: 'chat', status: 'sent' },
        { channel: 'crm', status: 'sent' },
      ],
    });
    const messages = await messagesWith(trackingNumber);
    expect(messages.map(({ channel }) => channel).sort()).toEqual(['chat', 'crm', 'email', 'sms']);
    const by = (channel: string) => messages.find((message) => message.channel === channel)!;
    expect(by('sms')).toMatchObject({
      to: '+12125550100',
      text: `Scriptrail: Hello Ada, your order was delivered. Tracking number: ${trackingNumber}`,
    });
    expect(by('chat').text).toMatch(/^Your order was delivered\n\nHello Ada,/);
    expect(by('crm')).toMatchObject({
      to: `${trackingNumber}@example.test`,
      subject: 'Your order was delivered',
      text: expect.stringContaining('Semaglutide'),
    });
  });

  test('200 escapes values in HTML, and leaves them raw in subject, text and text message', async () => {
    const { trackingNumber, ...body } = tracking();
    const patientName = `<b>O'Neil & {{medication}}</b>`;
    await send({ ...body, channels: ['email', 'sms'], variables: { ...body.variables, patientName } });
    const messages = await messagesWith(trackingNumber);
    const [email, sms] = ['email', 'sms'].map((channel) => messages.find((one) => one.channel === channel));
    expect(email?.html).toContain('&lt;b&gt;O&#39;Neil &amp; {{medication}}&lt;/b&gt;');
    expect(email?.html).not.toContain(patientName);
    expect(email?.text).toContain(`Hello ${patientName},`);
    expect(sms?.text).toContain(`Hello ${patientName},`);
  });

  test('200 renders missing and null variables empty, and the log names those required', async () => {
    const { orderNumber, body } = order({ variables: { patientName: null } });
    expect((await send(body)).status).toBe(200);
    expect(await entryOf(`${orderNumber}@example.test`)).toMatchObject([
      { missingVariables: ['patientName', 'amount', 'orderNumber'] },
    ]);
    const [message] = await messagesWith(`${orderNumber}@example.test`);
    expect(message!.text).toMatch(/^Hello ,\s+Thank you for your payment of  for order \./);
  });

  test('200 renders a list with commas between, and the log names a required variable without a text', async () => {
    const email = `${randomUUID()}@example.test`;
    const variables = { patientName: { first: 'Ada' }, changedFields: ['phone', 'address'] };
    await send({ type: 'information_changed', recipient: { email }, variables });
    const [message] = await messagesWith(email);
    expect(message!.text).toContain('phone, address');
    expect(await entryOf(email)).toMatchObject([{ missingVariables: ['patientName'] }]);
  });

  test('200 refuses the channels that are too long beside the others, and the log says so', async () => {
    const { trackingNumber, ...body } = tracking();
    const variables = { ...body.variables, patientName: '薬'.repeat(240_000) };
    const answer = await send({ ...body, variables, channels: ['chat', 'sms', 'crm', 'email'] });
    const tooLong = { status: 'failed', error: 'The message is too long' };
    const channels = [
      { channel: 'chat', status: 'sent' },
      { channel: 'sms', status: 'sent' },
      { channel: 'crm', ...tooLong },
      { channel: 'email', ...tooLong },
    ];
    expect(answer).toMatchObject({ status: 200, body: { success: true, channels } });
    expect(await entryOf(`${trackingNumber}@example.test`)).toMatchObject([{ status: 'partial', channels }]);
  });

  test('200 skips a channel without an address or a template, and push', async () => {
    const { body } = order();
    const recipient = { email: `${randomUUID()}@example.test` };
    expect(
      (await send({ ...body, recipient, channels: ['sms', 'push', 'email'] })).body.channels,
    ).toMatchObject([
      { channel: 'sms', status: 'skipped', reason: 'no phone number' },
      { channel: 'push', status: 'skipped', reason: 'not implemented' },
      { channel: 'email', status: 'sent' },
    ]);
    const byPhone = { ...body, recipient: { phone: '2125550100' } };
    const answer = await send({ ...byPhone, channels: ['sms', 'email'] });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        channels: [
          { channel: 'sms', status: 'skipped', reason: 'empty template' },
          { channel: 'email', status: 'skipped', reason: 'no e-mail address' },
        ],
        logId: uuid,
      },
    ]);
  });

  test('200 without a delivery when every channel of the type is disabled, or none is named', async () => {
    const channels = { email: false, sms: false, crm: false, chat: false };
    expect((await asAdmin('PUT', '/channels/four_month_checkin', channels)).status).toBe(200);
    const { body } = order({ type: 'four_month_checkin' });
    const answer = await send(body);
    expect([answer.status, answer.body]).toEqual([200, { success: true, channels: [], logId: uuid }]);
    expect((await send({ ...order().body, channels: [] })).body).toMatchObject({
      success: true,
      channels: [],
    });
  });

  test('200 when one channel fails and another delivers; the log says partial', async () => {
    const { trackingNumber, ...body } = tracking();
    const recipient = { ...body.recipient, phone: refusedPhone };
    const answer = await send({ ...body, recipient, channels: ['sms', 'email'] });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        success: true,
        channels: [
          { channel: 'sms', status: 'failed', error: 'SMS provider rejected the message (21614)' },
          { channel: 'email', status: 'sent' },
        ],
      },
    ]);
    expect(await entryOf(`${trackingNumber}@example.test`)).toMatchObject([{ status: 'partial' }]);
  });

  test('502 when every channel that was tried failed; the log says failed', async () => {
    const { trackingNumber, ...body } = tracking();
    const recipient = { ...body.recipient, phone: refusedPhone };
    const answer = await send({ ...body, recipient, channels: ['sms', 'push'] });
    expect([answer.status, answer.body]).toEqual([
      502,
      {
        success: false,
        channels: [
          { channel: 'sms', status: 'failed', error: 'SMS provider rejected the message (21614)' },
          { channel: 'push', status: 'skipped', reason: 'not implemented' },
        ],
        logId: uuid,
        error: 'No channel could deliver',
      },
    ]);
    expect(answer.headers.get('error-code')).toBe('not_delivered');
    expect(await entryOf(`${trackingNumber}@example.test`)).toMatchObject([
      { id: answer.body.logId, status: 'failed' },
    ]);
  });

  test.each(['parcel', 'toString', 'OTP'])('400 for the unknown type %s', async (type) => {
    const { status, body } = await send(order({ type }).body);
    expect([status, body]).toEqual([400, { error: `Unknown notification type: ${type}` }]);
  });

  test('400 without an address to send to', async () => {
    const { status, body } = await send(order({ recipient: { name: 'Ada' } }).body);
    expect([status, body]).toEqual([400, { error: 'At least one of email or phone is required' }]);
  });

  test.each<[string, object]>([
    ['recipient.phone', { recipient: { phone: 'call me' } }],
    ['channels.0', { channels: ['fax'] }],
  ])('400 names the field %s (case %#)', async (path, changes) => {
    const { status, body } = await send<object>(order(changes).body);
    expect([status, body]).toEqual([
      400,
      { error: 'Validation failed', details: [{ path, message: expect.any(String) }] },
    ]);
  });

  test('400 for an Idempotency-Key of more than 200 characters', async () => {
    const { status, body } = await send<object>(order().body, 'k'.repeat(201));
    expect([status, body]).toMatchObject([
      400,
      { error: 'Validation failed', details: [{ path: 'idempotency-key' }] },
    ]);
  });

  test('409 for an Idempotency-Key that was used with another body; the same body sends once', async () => {
    const { orderNumber, body } = order();
    const key = randomUUID();
    const first = await send(body, key);
    const again = await send(Object.fromEntries(Object.entries(body).reverse()), key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await send({ ...body, variables: {} }, key);
    expect([other.status, other.body]).toEqual([
      409,
      { error: 'Idempotency-Key already used with a different body' },
    ]);
    expect(await messagesWith(orderNumber)).toHaveLength(1);
  });

  test('sends once for twenty equal requests at the same moment', async () => {
    const { orderNumber, body } = order();
    const key = randomUUID();
    const answers = await atOnce(20, () => send(body, key));
    expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1);
    expect(answers[0]!.status).toBe(200);
    expect(await messagesWith(orderNumber)).toHaveLength(1);
  });

  test('200 keeps line breaks of names and values out of the headers', async () => {
    const { orderNumber, body } = order();
    const template = { emailSubject: 'Plan {{plan}}' };
    expect((await asAdmin('PUT', '/templates/three_month_checkin', template)).status).toBe(200);
    const answer = await send({
      ...body,
      type: 'three_month_checkin',
      recipient: { email: `${orderNumber}@example.test`, name: 'Ada\r\nBcc: evil@example.test' },
      variables: { plan: `${orderNumber}\r\nBcc: evil@example.test` },
    });
    expect(answer.status).toBe(200);
    const [message, ...more] = await messagesWith(`${orderNumber}@example.test`);
    expect(more).toEqual([]);
    expect(message).toMatchObject({
      to: `${orderNumber}@example.test`,
      subject: `Plan ${orderNumber} Bcc: evil@example.test`,
    });
  });
});
