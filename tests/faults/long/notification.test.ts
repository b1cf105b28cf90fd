import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { notificationWorkflowId } from '../../../workflows/ids.js';
import { adminToken, call, callAs, eventually, sandbox } from '../../helpers/client.js';
import { callsTo } from '../../api/orchestrator/approvals.js';
import type { LogPage, Message, Sent } from '../../api/notification/notification.js';
import { faultsMet, setFault } from '../faults.js';
import { dev, sql, stateDir, temporal } from '../faulty-system.js';

const channels = ['email', 'sms', 'chat', 'crm'];
/** Most of the time that a call of a channel has, and less than Temporal gives its activity. */
const standstillMs = 1_500;

/** One notification over all channels. */
async function send(trackingNumber = randomUUID(), key = 'notifier') {
  const startedAt = performance.now();
  const answer = await call<Sent>(dev, 'notification', {
    key,
    method: 'POST',
    path: '/notify/send',
    // The same one again is a repeat (D70).
    headers: { 'idempotency-key': trackingNumber },
    body: {
      type: 'delivered',
      recipient: { email: `${trackingNumber}@example.test`, phone: '2125550100' },
      variables: { patientName: 'Ada', medication: 'Semaglutide', trackingNumber },
      channels,
    },
  });
  const tookMs = performance.now() - startedAt;
  return { ...answer, tookMs, trackingNumber };
}

const messagesWith = async (text: string) =>
  (await sandbox<{ messages: Message[] }>(dev, '/messages')).messages.filter((message) =>
    message.text.includes(text),
  );
const callsWith = async (target: string, text: string) =>
  (await callsTo(dev, target)).filter(({ body }) => JSON.stringify(body).includes(text));
const others = (target: string) => channels.filter((channel) => channel !== target);

describe('a channel whose provider', () => {
  test('has a passing fault twice is delivered at the third attempt, once, also when all have one', async () => {
    const faults = Object.entries({ smtp: 421, twilio: 503, chat: 500, crm: 429 });
    for (const [target, status] of faults) await setFault(dev, { target, kind: 'status', status, times: 2 });
    const { body, trackingNumber } = await send();
    expect(body.channels.map((channel) => channel.status)).toEqual(channels.map(() => 'sent'));
    for (const [target] of faults)
      expect([target, (await callsWith(target, trackingNumber)).length]).toEqual([target, 3]);
    const delivered = (await messagesWith(trackingNumber)).map(({ channel }) => channel);
    expect(delivered.sort()).toEqual([...channels].sort());
  });

  test('answers nothing while our own workers stand still has been asked once less', async () => {
    await setFault(dev, { target: 'smtp', kind: 'hang', times: 1 });
    const sending = send();
    await faultsMet(dev);
    const { workers } = dev.pids;
    process.kill(workers, 'SIGSTOP');
    await pause(standstillMs);
    process.kill(workers, 'SIGCONT');
    await setFault(dev, { target: 'smtp', kind: 'status', status: 421, times: 2 });
    const { body, trackingNumber } = await sending;
    expect(body.channels.map(({ status }) => status)).toEqual(channels.map(() => 'sent'));
    expect(await callsWith('smtp', trackingNumber)).toHaveLength(4);
    expect(await messagesWith(trackingNumber)).toHaveLength(channels.length);
  });

  test.each([
    ['email', 'smtp', 550, 'Mail server rejected the message (550)'],
    ['sms', 'twilio', 403, 'SMS provider answered 403'],
    ['chat', 'chat', 404, 'Chat webhook answered 404'],
    ['crm', 'crm', 401, 'CRM webhook answered 401'],
  ])('%s refuses is tried once, and the others deliver', async (channel, target, status, error) => {
    await setFault(dev, { target, kind: 'status', status });
    const { body, trackingNumber } = await send();
    expect(body.channels).toContainEqual({ channel, status: 'failed', error });
    expect(body.success).toBe(true);
    expect(await callsWith(target, trackingNumber)).toHaveLength(1);
    const delivered = (await messagesWith(trackingNumber)).map((message) => message.channel);
    expect(delivered.sort()).toEqual(others(channel).sort());
  });

  test('hangs is given up, and the others deliver', async () => {
    await setFault(dev, { target: 'smtp', kind: 'hang' });
    const { body, trackingNumber } = await send();
    expect(body.channels).toContainEqual({
      channel: 'email',
      status: 'failed',
      error: expect.stringContaining('did not answer within 2.5 s'),
    });
    const delivered = (await messagesWith(trackingNumber)).map((message) => message.channel);
    expect(delivered.sort()).toEqual(others('email').sort());
  });

  test('asks for a long pause does not get it: the budget stays', async () => {
    const pauseSeconds = 55;
    await setFault(dev, { target: 'crm', kind: 'status', status: 429, retryAfterSeconds: pauseSeconds });
    const { body, tookMs } = await send();
    expect(body.channels).toContainEqual({
      channel: 'crm',
      status: 'failed',
      error: 'CRM webhook answered 429',
    });
    expect(tookMs).toBeLessThan(pauseSeconds * 1_000);
  });
});

describe('an answer that is lost', () => {
  test('of the CRM: it is told again under the same key', async () => {
    await setFault(dev, { target: 'crm', kind: 'lost-answer', times: 1 });
    const { body, trackingNumber } = await send();
    expect(body.channels).toContainEqual({ channel: 'crm', status: 'sent' });
    const keys = (await callsWith('crm', trackingNumber)).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([body.logId, body.logId]);
  });

  test('of the mail server: the second copy has the Message-ID of the first', async () => {
    await setFault(dev, { target: 'smtp', kind: 'lost-answer', times: 1 });
    const { body, trackingNumber } = await send();
    const ids = (await callsWith('smtp', trackingNumber)).map(({ headers }) => headers['message-id']);
    const { providerMessageId } = body.channels[0]!;
    expect(ids).toEqual([providerMessageId, providerMessageId]);
  });
});

test('a run that was terminated: the log says failed, each channel with the reason', async () => {
  await setFault(dev, { target: 'smtp', kind: 'hang', times: 1 });
  const trackingNumber = randomUUID();
  const answer = send(trackingNumber);
  await faultsMet(dev);
  const recipient = `${trackingNumber}@example.test`;
  const log = async () => {
    const token = await adminToken(dev, {}, stateDir);
    const path = `/notify/log?recipient=${recipient}`;
    return (await callAs<LogPage>(dev, 'notification', token, { method: 'GET', path })).body.entries;
  };
  const [row] = await sql<{ id: string }[]>`
    update notification.delivery set created_at = now() - interval '61 seconds'
    where recipient_email = ${recipient} returning id
  `;
  const { id } = row!;
  await temporal.client.workflow.getHandle(notificationWorkflowId(id)).terminate('by a test');
  expect((await answer).status).toBe(503);
  const [entry] = await eventually(async () => {
    const entries = await log();
    return entries.length > 0 && entries;
  });
  const error = 'The run was terminated';
  expect(entry).toMatchObject({
    id,
    status: 'failed',
    channels: channels.map((channel) => ({ channel, status: 'failed', error })),
  });
});

describe('of a durable caller (D113)', () => {
  const durable = 'orchestrator';
  const statusOfRun = (logId: string) => temporal.statusOf(notificationWorkflowId(logId));
  const countsOf = async (trackingNumber: string) =>
    Object.fromEntries(
      await Promise.all(
        ['smtp', 'twilio', 'chat', 'crm'].map(
          async (target) => [target, (await callsWith(target, trackingNumber)).length] as const,
        ),
      ),
    );
  const logIdOf = async (trackingNumber: string): Promise<string> => {
    const email = `${trackingNumber}@example.test`;
    const find = () =>
      sql<{ id: string }[]>`select id from notification.delivery where recipient_email = ${email}`;
    return (await eventually(async () => (await find())[0])).id;
  };

  test('a channel without an answer: a run takes over and ends it, the others are left alone', async () => {
    await setFault(dev, { target: 'smtp', kind: 'lost-answer', times: 1 });
    const { body, trackingNumber } = await send(undefined, durable);
    expect(body.channels.map(({ status }) => status)).toEqual(channels.map(() => 'sent'));
    expect(await countsOf(trackingNumber)).toEqual({ smtp: 2, twilio: 1, chat: 1, crm: 1 });
    expect(await statusOfRun(body.logId)).toBe('COMPLETED');
  });

  test('a channel that never answers: failed after three calls, those of the run included', async () => {
    await setFault(dev, { target: 'crm', kind: 'status', status: 503 });
    const { body, trackingNumber } = await send(undefined, durable);
    expect(body.channels).toContainEqual({
      channel: 'crm',
      status: 'failed',
      error: 'CRM webhook answered 503',
    });
    expect(await countsOf(trackingNumber)).toEqual({ smtp: 1, twilio: 1, chat: 1, crm: 3 });
  });

  test.each(['at once', 'never'])(
    'the API killed when the text has left and the mail has not, and asked again %s: both arrive once',
    async (again) => {
      await setFault(dev, { target: 'smtp', kind: 'hang', times: 1 });
      const trackingNumber = randomUUID();
      const lost = send(trackingNumber, durable).catch(() => 'cut off');
      const logId = await logIdOf(trackingNumber);
      await faultsMet(dev);
      // All but the mail are noted, since others are still being tried.
      await eventually(async () => {
        const [row] =
          await sql`select jsonb_array_length(channels) as noted from notification.delivery where id = ${logId}`;
        return row?.['noted'] === 3;
      });
      process.kill(dev.pids['api'], 'SIGKILL');
      expect(await lost).toBe('cut off');
      if (again === 'at once') {
        const repeat = await eventually(() => send(trackingNumber, durable).catch(() => undefined));
        expect(repeat).toMatchObject({ status: 200, body: { success: true, logId } });
      }
      expect(await eventually(async () => (await statusOfRun(logId)) === 'COMPLETED')).toBe(true);
      expect((await messagesWith(trackingNumber)).map(({ channel }) => channel).sort()).toEqual(
        [...channels].sort(),
      );
    },
  );
});
