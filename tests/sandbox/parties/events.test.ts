import { createHmac, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { startSandbox } from '../../../sandbox/app.js';
import { readConfig } from '../../../sandbox/config.js';
import { freshSettings, useSandbox, call, type Answer } from '../helpers.js';

const sandbox = useSandbox();

const cloudEvent = (over: object = {}) => ({
  specversion: '1.0',
  id: randomUUID(),
  source: 'organization',
  type: 'organization.created',
  time: '2026-01-02T03:04:05.000Z',
  data: { organizationId: 'org-1' },
  ...over,
});

function send(event: unknown, { url = sandbox.url(), at = new Date(), secret = '' } = {}): Promise<Answer> {
  const body = JSON.stringify(event);
  const timestamp = at.toISOString();
  const signature = createHmac('sha256', secret || sandbox.config().SANDBOX_EVENT_SINK_SECRET)
    .update(`${timestamp}.${body}`)
    .digest('hex');
  return call(`${url}/events`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/cloudevents+json',
      'x-timestamp': timestamp,
      'x-signature': signature,
    },
  });
}
const received = async (url = sandbox.url()) =>
  ((await call(`${url}/_sandbox/events`)).body as { events: { event: { id: string } }[] }).events;

test('an event delivered twice is there twice', async () => {
  const event = cloudEvent();
  await send(event);
  await send(event);
  expect((await received()).filter((entry) => entry.event.id === event.id)).toHaveLength(2);
});

test('a wrong signature and an old time stamp are 401, what is no event is 400, and none is kept', async () => {
  const before = (await received()).length;
  const refused = { status: 401, body: { error: 'Invalid signature' } };
  expect(await send(cloudEvent(), { secret: 'guess' })).toMatchObject(refused);
  expect((await send(cloudEvent(), { at: new Date(Date.now() - 6 * 60_000) })).status).toBe(401);
  expect((await sandbox.call('/events', { json: cloudEvent() })).status).toBe(401);
  expect((await send({ type: 'x' })).status).toBe(400);
  expect(await received()).toHaveLength(before);
});

test('events outlive a restart', async () => {
  const config = readConfig(await freshSettings());
  const event = cloudEvent();
  const first = await startSandbox(config);
  await send(event, { url: first.url });
  await first.close();
  const second = await startSandbox(config);
  try {
    expect(await received(second.url)).toMatchObject([{ event }]);
  } finally {
    await second.close();
  }
});
