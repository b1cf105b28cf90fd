import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { approve, semaglutideFor } from '../orchestrator/approvals.js';
import { atOnce, call } from '../../helpers/client.js';
import { changeInEmr, newPatient, saveCard } from '../../helpers/patients.js';
import { dev, messagesWith, refusedPhone } from './notification.js';

const post = (path: string, idempotencyKey: string, body: object, key = 'notifier') =>
  call<{ type: string; logId: string }>(dev, 'notification', {
    key,
    method: 'POST',
    path,
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });
/** A message under a key of its own, which a number in it finds. */
async function sent(type: string, variables: Record<string, string>) {
  const [key, mark] = [randomUUID(), randomUUID()];
  const all = { ...variables, patientName: 'Ada', trackingNumber: mark };
  const body = { type, recipient: { email: `${mark}@example.test`, name: 'Ada' }, variables: all };
  expect((await post('/notify/send', key, body)).status).toBe(200);
  return { key, mark };
}
const again = (keys: string[], key: string = randomUUID(), as?: string) => {
  const recipient = { email: `${key}@example.test`, name: 'Ada Lovelace' };
  return post('/notify/send-again', key, { keys, recipient, channels: ['email'] }, as);
};

test('The newest of the messages goes out once for a key, under the name and to the contact of now', async () => {
  const first = await sent('shipping_confirmation', { medication: 'NAD+', carrier: 'UPS' });
  const last = await sent('delivered', { medication: 'NAD+' });
  const key = randomUUID();
  const keys = [last.key, first.key, randomUUID()];
  const answers = await atOnce(3, () => again(keys, key));
  for (const { status, body } of answers) expect([status, body.type]).toEqual([200, 'delivered']);
  expect(new Set(answers.map(({ body }) => body.logId)).size).toBe(1);
  // The repeat is the newest now, and a repeat of it is the same message.
  expect((await again(keys)).body.type).toBe('delivered');
  const messages = await messagesWith(last.mark);
  expect(messages).toHaveLength(3);
  expect(messages.filter(({ to }) => to === `${key}@example.test`)).toMatchObject([
    { text: expect.stringContaining('Ada Lovelace') },
  ]);
  expect(await messagesWith(first.mark)).toHaveLength(1);
});

test('404 for codes, for keys of which nothing was sent, and for the keys of another client', async () => {
  const code = await sent('otp', { code: '123456' });
  const other = await sent('delivered', { medication: 'NAD+' });
  expect((await again([code.key])).status).toBe(404);
  expect((await again([randomUUID()])).status).toBe(404);
  expect((await again([])).status).toBe(404);
  expect((await again([other.key], randomUUID(), 'orchestrator')).status).toBe(404);
});

test('400 without a contact or a channel', async () => {
  const { key } = await sent('delivered', { medication: 'NAD+' });
  const body = { keys: [key], recipient: {}, channels: ['email'] };
  expect((await post('/notify/send-again', randomUUID(), body)).status).toBe(400);
  const none = { keys: [key], recipient: { email: 'a@example.test' }, channels: [] };
  expect((await post('/notify/send-again', randomUUID(), none)).status).toBe(400);
});

test('409 for a key with which another message was sent', async () => {
  const { key } = await sent('delivered', { medication: 'NAD+' });
  expect((await again([key], key)).status).toBe(409);
});

test('502 when no channel could deliver', async () => {
  const { key } = await sent('delivered', { medication: 'NAD+' });
  const body = { keys: [key], recipient: { phone: refusedPhone }, channels: ['sms'] };
  const { status, headers } = await post('/notify/send-again', randomUUID(), body);
  expect([status, headers.get('error-code')]).toEqual([502, 'not_delivered']);
});

describe('POST /orchestrator/send-again', () => {
  const ofTask = (taskId: string) =>
    call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/send-again', body: { taskId } });

  test('404 for an unknown task', async () => {
    expect((await ofTask(randomUUID())).status).toBe(404);
  });

  test('502 when nothing reaches the contact that the EMR has now, and 409 when it has none', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient);
    const { taskId, ...approval } = semaglutideFor(patient.id);
    expect((await approve(dev, { taskId, ...approval })).status).toBe(200);
    await changeInEmr(dev, patient, (record) => {
      record.telecom = [{ system: 'phone', use: 'mobile', value: refusedPhone }];
    });
    const { status, headers } = await ofTask(taskId);
    expect([status, headers.get('error-code')]).toEqual([502, 'not_delivered']);
    await changeInEmr(dev, patient, (record) => {
      record.telecom = [];
    });
    const without = await ofTask(taskId);
    expect([without.status, without.headers.get('error-code')]).toEqual([409, 'conflict']);
  });
});
