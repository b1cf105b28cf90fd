import { describe, expect, test } from '@jest/globals';
import { notificationTypes } from '../../../domain/notification/notification-types.js';
import { asAdmin, type Sent } from './notification.js';

interface Channels {
  type: string;
  email: boolean;
  sms: boolean;
  crm: boolean;
  chat: boolean;
}
const put = (type: string, body: unknown) => asAdmin<{ channel: Channels }>('PUT', `/channels/${type}`, body);
const none = { email: false, sms: false, crm: false, chat: false };

describe('GET /notify/channels', () => {
  test('200 with every type; what nobody has changed goes by e-mail alone', async () => {
    const { status, body } = await asAdmin<{ channels: Channels[] }>('GET', '/channels');
    expect(status).toBe(200);
    expect(body.channels.map(({ type }) => type)).toEqual([...notificationTypes].sort());
    const type = 'doctor_message';
    expect(body.channels.find((channel) => channel.type === type)).toEqual({ type, ...none, email: true });
  });
});

describe('PUT /notify/channels/:type', () => {
  test('200 replaces all four, and the next notification uses them', async () => {
    const chosen = { email: false, sms: true, crm: true, chat: true };
    const type = 'support_message';
    expect(await put(type, chosen)).toMatchObject({ status: 200, body: { channel: { type, ...chosen } } });
    const recipient = { email: 'ada@example.test' };
    const { body } = await asAdmin<Sent>('POST', `/templates/${type}/test`, { recipient });
    expect(body.channels).toEqual([
      { channel: 'sms', status: 'skipped', reason: 'no phone number' },
      { channel: 'crm', status: 'sent' },
      { channel: 'chat', status: 'sent' },
    ]);
  });

  test('200 for none at all: sending is then a success without a delivery', async () => {
    expect(await put('lab_resulted', none)).toMatchObject({ status: 200 });
    const recipient = { email: 'ada@example.test' };
    expect(await asAdmin('POST', '/templates/lab_resulted/test', { recipient })).toMatchObject({
      status: 200,
      body: { success: true, channels: [] },
    });
  });

  test('400 names the switch at fault', async () => {
    expect(await put('welcome', { email: true, sms: true, crm: true })).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: [{ path: 'chat', message: expect.any(String) }] },
    });
  });

  test('404 for an unknown type', async () => {
    expect(await put('parcel', none)).toMatchObject({
      status: 404,
      body: { error: 'Unknown notification type: parcel' },
    });
  });
});
