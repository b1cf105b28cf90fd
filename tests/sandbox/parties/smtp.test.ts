import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { useSandbox } from '../helpers.js';

const sandbox = useSandbox();
afterEach(async () => {
  await sandbox.clearFaults();
});

const mail = (subject: string, headers: Record<string, string> = {}) =>
  createTransport({ host: '127.0.0.1', port: sandbox.smtpPort(), ignoreTLS: true }).sendMail({
    from: 'care@scriptrail.test',
    to: { name: 'Ada', address: 'ada@patients.test' },
    subject,
    text: 'Plain.',
    html: '<p>Rich.</p>',
    headers,
  });

test('spares a mail that carries the bypass header', async () => {
  await sandbox.setFault({ target: 'smtp', kind: 'status', status: 550 });
  await mail(randomUUID(), { 'X-Sandbox-Bypass': '1' });
  await expect(mail(randomUUID())).rejects.toMatchObject({ responseCode: 550 });
});

const text = (form: Record<string, string>, token = sandbox.config().SANDBOX_TWILIO_AUTH_TOKEN) => {
  const sid = sandbox.config().SANDBOX_TWILIO_ACCOUNT_SID;
  return sandbox.call(`/twilio/2010-04-01/Accounts/${sid}/Messages.json`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}` },
  });
};

test('shows what one address has received, however it is written', async () => {
  const bodies = [randomUUID(), randomUUID(), randomUUID()];
  const numbers = ['+15551230001', '+15551230002', '+15551230001'];
  for (const [index, body] of bodies.entries())
    await text({ To: numbers[index]!, From: '+15550001111', Body: body });
  const texts = async (to: string) => {
    const { body } = await sandbox.call(`/_sandbox/messages?to=${encodeURIComponent(to)}`);
    return (body as { messages: { text: string }[] }).messages.map((message) => message.text);
  };
  expect(await texts(numbers[0]!)).toEqual([bodies[2], bodies[0]]);
  expect(await texts('nobody@example.test')).toEqual([]);

  await mail(randomUUID());
  expect((await texts('ADA@patients.test'))[0]).toMatch(/^Plain\./);
});

test('refuses a text message as the provider does', async () => {
  expect(await text({ To: '+15551230000', From: '+15550001111', Body: 'x' }, 'wrong')).toMatchObject({
    status: 401,
    body: { code: 20003, status: 401 },
  });
  expect(await text({ To: '12', From: '+15550001111', Body: 'x' })).toMatchObject({
    status: 400,
    body: { code: 21211 },
  });
  expect(await text({ To: '+15551230000', From: '+15550001111' })).toMatchObject({
    status: 400,
    body: { code: 21602 },
  });
  expect(await text({ To: '+15005550009', From: '+15550001111', Body: 'x' })).toMatchObject({
    body: { code: 21614 },
  });
});
