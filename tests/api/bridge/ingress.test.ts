import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeCursor } from '../../../api/cursor.js';
import { createSql, type Sql } from '../../../db/client.js';
import { hmacHex } from '../../../platform/crypto/signature.js';
import { adminToken, callAs, eventually, sandbox, shared } from '../../helpers/client.js';
import { type Body, sendWebhook, startBridge, type WebhookAnswer, webhookOf } from './bridge.js';
import { openTemporal, type TemporalView } from '../../helpers/temporal-view.js';

interface Logged {
  id: string;
  rawBody: Buffer;
  signatureValid: boolean;
  signatureHeader: string | null;
  resourceType: string | null;
  resourceId: string | null;
  emrEventName: string | null;
  emrEventTimestamp: Date | null;
  dispatchedOutboxId: string | null;
}

const dev = shared();
let sql: Sql;
let temporal: TemporalView;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  temporal = await openTemporal(dev);
});
afterAll(async () => {
  await temporal.close();
  await sql.end();
});

const bytesOf = (body: object | string | Uint8Array): Buffer =>
  Buffer.from(body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body));
/** The rows with exactly these bytes. */
const logged = (body: object | string | Uint8Array): Promise<Logged[]> =>
  sql<Logged[]>`select * from bridge.emr_webhook_events where raw_body = ${bytesOf(body)}`;
const outboxEntry = async (id: string | null) => {
  const [entry] = await sql<{ source: string; detailType: string; aggregateId: string; detail: Body }[]>`
    select source, detail_type, aggregate_id, detail from bridge.outbox where id = ${id}
  `;
  return entry;
};

describe('POST /webhooks/emr', () => {
  test('200: logged byte for byte, normalised, published and linked', async () => {
    const webhook = webhookOf('MedicationRequest.activated', { status: 'active', dose: 1.5 });
    const text = ` ${JSON.stringify(webhook)}\n`;
    const { status, body } = await sendWebhook(dev, text);
    expect([status, body]).toEqual([200, { ok: true, webhookEventId: expect.any(String) }]);

    const [row, ...others] = await logged(text);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      id: body['webhookEventId'],
      signatureValid: true,
      signatureHeader: hmacHex(dev.webhookSecrets.emr, text),
      resourceType: 'MedicationRequest',
      resourceId: webhook.resource.id,
      emrEventName: 'MedicationRequest.activated',
      emrEventTimestamp: new Date(webhook.timestamp),
    });
    expect(await outboxEntry(row!.dispatchedOutboxId)).toEqual({
      source: 'bridge',
      detailType: 'emr.medication_request.activated',
      aggregateId: expect.stringMatching(/^[0-9a-f]{32}$/),
      detail: {
        webhookEventId: row!.id,
        emrEventName: 'MedicationRequest.activated',
        resourceType: 'MedicationRequest',
        resourceId: webhook.resource.id,
        emrEventTimestamp: webhook.timestamp,
        receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        resource: webhook.resource,
      },
    });
  });

  test('200: the outside is told of the envelope, beside it the organization, and of nothing more', async () => {
    const webhook = webhookOf('Observation.created', { status: 'final' });
    await sendWebhook(dev, webhook);
    const [row] = await logged(webhook);
    const entry = await outboxEntry(row!.dispatchedOutboxId);
    const told = await eventually(async () => {
      const { events } = await sandbox<{ events: { event: { id: string; data: Body } }[] }>(dev, '/events');
      return events.find(({ event }) => event.id === row!.dispatchedOutboxId);
    });
    expect(told.event.data).toEqual({ organizationId: null, ...entry!.detail });
  });

  test('200 for a time with an offset, which is handed on in UTC', async () => {
    const webhook = { ...webhookOf('Task.completed'), timestamp: '2026-03-04T05:06:07+02:00' };
    expect((await sendWebhook(dev, webhook)).status).toBe(200);
    const [row] = await logged(webhook);
    expect(row?.emrEventTimestamp?.toISOString()).toBe('2026-03-04T03:06:07.000Z');
    const entry = await outboxEntry(row!.dispatchedOutboxId);
    expect(entry?.detail['emrEventTimestamp']).toBe('2026-03-04T03:06:07.000Z');
  });

  test('200 with a resource that leaves its type to the event', async () => {
    const webhook = webhookOf('Appointment.booked', { resourceType: undefined });
    expect((await sendWebhook(dev, webhook)).status).toBe(200);
    expect((await logged(webhook))[0]).toMatchObject({ resourceType: 'Appointment' });
  });

  test.each(['text/plain', 'application/fhir+json', 'no type at all', 'application/'])(
    '200 whatever the content type: %s',
    async (contentType) => {
      const webhook = webhookOf('Patient.updated');
      expect((await sendWebhook(dev, webhook, { contentType })).status).toBe(200);
      expect(await logged(webhook)).toHaveLength(1);
    },
  );

  test('200: no EMR id shows in a workflow id', async () => {
    const webhook = webhookOf('Encounter.finished');
    await sendWebhook(dev, webhook);
    const [row] = await logged(webhook);
    const entry = await outboxEntry(row!.dispatchedOutboxId);
    const [workflowId] = await temporal.idsOf(`WorkflowId = "events:sink:bridge:${entry!.aggregateId}"`);
    expect(workflowId).not.toContain(webhook.resource.id);
  });

  test.each<[string, (signature: string) => string | null]>([
    ['no signature', () => null],
    ['an empty one', () => ''],
    ['one in upper case', (signature) => signature.toUpperCase()],
    ['one of another body', () => hmacHex(dev.webhookSecrets.emr, 'another')],
    ['one with another secret', (signature) => hmacHex('x'.repeat(32), signature)],
    ['one cut short', (signature) => signature.slice(0, -1)],
  ])('401 with %s: kept as it came, not read, not dispatched', async (_name, forge) => {
    const webhook = webhookOf('MedicationDispense.completed');
    const signature = forge(hmacHex(dev.webhookSecrets.emr, JSON.stringify(webhook)));
    const answer = await sendWebhook(dev, webhook, { signature });
    expect([answer.status, answer.body]).toEqual([
      401,
      { error: 'unauthorized', message: 'Invalid signature' },
    ]);
    expect(await logged(webhook)).toMatchObject([
      {
        signatureValid: false,
        signatureHeader: signature,
        resourceType: null,
        resourceId: null,
        emrEventName: null,
        dispatchedOutboxId: null,
      },
    ]);
  });

  test('200 for the same bytes again, of which twenty are stored and have an event (D164)', async () => {
    // As an EMR that was down for weeks would send it.
    const timestamp = new Date(Date.now() - 40 * 86_400_000).toISOString();
    const webhook = { ...webhookOf('Observation.created'), timestamp };
    const answers: WebhookAnswer[] = [];
    for (let times = 0; times < 22; times += 1) answers.push(await sendWebhook(dev, webhook));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const rows = await logged(webhook);
    expect(rows).toHaveLength(20);
    expect(new Set(rows.map(({ dispatchedOutboxId }) => dispatchedOutboxId)).size).toBe(20);
    const events =
      await sql`select from bridge.outbox where detail #>> '{resource,id}' = ${webhook.resource.id}`;
    expect(events).toHaveLength(20);
    const [first, ...repeats] = answers.map(({ body }) => body['webhookEventId']);
    expect(repeats.slice(-2)).toEqual([first, first]);
  });

  test('400 for the same malformed bytes again, of which twenty are stored (D164)', async () => {
    const bytes = `no JSON ${randomUUID()}`;
    for (let times = 0; times < 22; times += 1) expect((await sendWebhook(dev, bytes)).status).toBe(400);
    expect(await logged(bytes)).toHaveLength(20);
  });

  const malformed: [string, object | string | Uint8Array<ArrayBuffer>][] = [
    ['no JSON', `{"event":"Task.completed" ${randomUUID()}`],
    ['bytes that are no text', Uint8Array.from([0xff, 0xfe, ...Buffer.from(randomUUID())])],
    ['a duplicate key', `{"event":"Task.completed","event":"${randomUUID()}"}`],
    ['a list', [randomUUID()]],
    ['no event', { ...webhookOf('Task.completed'), event: undefined }],
    ['an event without a dot', { ...webhookOf('Task.completed'), event: 'TaskCompleted' }],
    ['no timestamp', { ...webhookOf('Task.completed'), timestamp: undefined }],
    ['a timestamp that is none', { ...webhookOf('Task.completed'), timestamp: 'yesterday' }],
    ['a timestamp before all dates', { ...webhookOf('Task.completed'), timestamp: '0000-01-01T00:00:00Z' }],
    [
      'a timestamp after all dates in UTC',
      { ...webhookOf('Task.completed'), timestamp: '9999-12-31T23:59:59-01:00' },
    ],
    ['no resource', { ...webhookOf('Task.completed'), resource: undefined, mark: randomUUID() }],
    ['a resource without an id', webhookOf('Task.completed', { id: undefined, mark: randomUUID() })],
    ['another resource than the event names', webhookOf('Task.completed', { resourceType: 'Patient' })],
  ];
  test.each(malformed)('400 for %s under a valid signature: kept, not dispatched', async (_name, body) => {
    const answer = await sendWebhook(dev, body);
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'validation_failed', message: 'Malformed webhook' },
    ]);
    expect(await logged(body)).toMatchObject([
      { signatureValid: true, resourceType: null, dispatchedOutboxId: null },
    ]);
  });

  test('400 for an empty body under a valid signature', async () => {
    expect((await sendWebhook(dev, '')).status).toBe(400);
  });

  test('413 for a body over the limit, which is not kept', async () => {
    const large = `${randomUUID()}${' '.repeat(1024 * 1024)}`;
    const answer = await sendWebhook(dev, large);
    expect([answer.status, answer.body]).toEqual([
      413,
      { error: 'payload_too_large', message: 'Payload too large' },
    ]);
    expect(await logged(large)).toEqual([]);
  });

  test('429 for an address that sends too many wrong signatures, and 200 for a right one all the same', async () => {
    const strict = await startBridge(dev, { RATE_LIMIT_UNVERIFIED_PER_MINUTE: '3' });
    const statuses: number[] = [];
    for (let times = 0; times < 4; times += 1) {
      const { status } = await sendWebhook(strict.dev, webhookOf('Task.completed'), { signature: 'wrong' });
      statuses.push(status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    const webhook = webhookOf('Task.completed');
    const refused = await sendWebhook(strict.dev, webhook, { signature: 'wrong' });
    expect(refused.body).toEqual({ error: 'too_many_requests', message: 'Too many requests' });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await logged(webhook)).toEqual([]);
    expect((await sendWebhook(strict.dev, webhook)).status).toBe(200);
    await strict.stop();
  });

  test('401 with a wrong signature: of a large body only the beginning is kept, and the row says so', async () => {
    const large = `${randomUUID()}${'x'.repeat(1_000_000)}`;
    expect((await sendWebhook(dev, large, { signature: 'wrong' })).status).toBe(401);
    const beginning = large.slice(0, 4_096);
    const [row] = await logged(beginning);
    expect(row).toMatchObject({ signatureValid: false });
    const path = `/webhook-events/${row!.id}`;
    const { body } = await callAs<{ webhookEvent: Body }>(dev, 'bridge', await adminToken(dev), { path });
    expect(body.webhookEvent).toMatchObject({ raw_body: beginning, truncated: true });
  });

  test('401 and nothing kept beyond 1,000 an hour of one address, whichever process it asks; signed ones are kept', async () => {
    const other = await startBridge(dev, { ID_HASH_SECRET: randomUUID().repeat(2) });
    const keeps = async (options: object) => {
      const webhook = webhookOf('Task.completed');
      const { status, body } = await sendWebhook(other.dev, webhook, options);
      return { status, body, kept: (await logged(webhook)).length };
    };
    const [before] = await sql<{ at: Date }[]>`select now() as at`;
    const refused = { status: 401, body: { error: 'unauthorized', message: 'Invalid signature' } };
    expect(await keeps({ signature: 'wrong' })).toEqual({ ...refused, kept: 1 });
    // The counter of this bridge's own secret, set to where 998 more would have brought it, in this hour and the next.
    await sql`
      with own as (
        select address from bridge.unsigned_webhooks where hour >= date_trunc('hour', ${before!.at}::timestamptz) and kept = 1
      )
      insert into bridge.unsigned_webhooks (address, hour, kept)
      select address, hour, 999
      from own, unnest(array[date_trunc('hour', now()), date_trunc('hour', now()) + interval '1 hour']) as hour
      on conflict (address, hour) do update set kept = 999
    `;
    expect(await keeps({ signature: 'wrong' })).toEqual({ ...refused, kept: 1 });
    expect(await keeps({ signature: 'wrong' })).toEqual({ ...refused, kept: 0 });
    expect(await keeps({ signature: null })).toEqual({ ...refused, kept: 0 });
    expect(await keeps({})).toMatchObject({ status: 200, kept: 1 });
    await other.stop();
  });

  test('503 when the webhook cannot be kept: its sender is told nothing of its signature', async () => {
    const blind = await startBridge(dev, { BRIDGE_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    const answer = await sendWebhook(blind.dev, webhookOf('Task.completed'), { signature: 'wrong' });
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: 'unavailable', message: 'Temporarily unavailable' },
    ]);
    await blind.stop();
  });
});

describe('GET /webhook-events', () => {
  interface List {
    webhookEvents: (Body & { id: string; received_at: string })[];
    nextCursor: string | null;
  }
  const list = async (query: string) =>
    callAs<List>(dev, 'bridge', await adminToken(dev), { path: `/webhook-events?${query}` });

  test('200: newest first, in pages that leave nothing out, filtered by validity, resource and time', async () => {
    const from = new Date().toISOString();
    // A resource of its own keeps other tests out.
    const resource = `Thing${randomUUID().slice(0, 8)}`;
    const ids: unknown[] = [];
    let text = '';
    for (let n = 0; n < 5; n += 1) {
      text = `${JSON.stringify(webhookOf(`${resource}.happened`))}\n`;
      ids.unshift((await sendWebhook(dev, text)).body['webhookEventId']);
    }
    await sendWebhook(dev, webhookOf(`${resource}.happened`), { signature: 'wrong' });

    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { status, body }: { status: number; body: List } = await list(
        `resourceType=${resource}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      found.push(...body.webhookEvents.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    expect(found).toEqual(ids);

    const invalid = await list(`valid=false&from=${from}&limit=200`);
    expect(invalid.body.webhookEvents.length).toBeGreaterThan(0);
    for (const event of invalid.body.webhookEvents) expect(event).toMatchObject({ signature_valid: false });
    const [newest] = (await list(`resourceType=${resource}&valid=true&limit=1`)).body.webhookEvents;
    expect(newest).toEqual({
      id: ids[0],
      received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
      signature_valid: true,
      signature_header: expect.stringMatching(/^[0-9a-f]{64}$/),
      resource_type: resource,
      resource_id: expect.any(String),
      emr_event_name: `${resource}.happened`,
      emr_event_timestamp: '2026-03-04T05:06:07.000Z',
      dispatched_outbox_id: expect.any(String),
    });
    const before = await list(`resourceType=${resource}&to=${from}`);
    expect(before.body.webhookEvents).toEqual([]);
  });

  test('200 without any bodies, which would be megabytes', async () => {
    await sendWebhook(dev, randomUUID(), { signature: 'wrong' });
    const { body } = await list('limit=200');
    expect(body.webhookEvents.length).toBeGreaterThan(0);
    for (const event of body.webhookEvents) expect(Object.keys(event).join()).not.toContain('raw_body');
  });

  test.each([
    'valid=perhaps',
    'from=yesterday',
    'from=0000-01-01T00:00:00Z',
    'to=9999-12-31T23:59:59-01:00',
    'limit=0',
    'cursor=none',
    `cursor=${encodeCursor({ receivedAt: '0000-01-01T00:00:00Z', id: randomUUID() })}`,
  ])('400 for %s', async (query) => {
    const { status, body } = await list(query);
    expect([status, (body as unknown as Body)['error']]).toEqual([400, 'validation_failed']);
  });
});

describe('GET /webhook-events/:id', () => {
  const read = async (id: string) =>
    callAs<{ webhookEvent: Body }>(dev, 'bridge', await adminToken(dev), { path: `/webhook-events/${id}` });

  test('200 with the body as text', async () => {
    const text = `\ufeff{"not":"a webhook", "für": "${randomUUID()}"}\r\n`;
    await sendWebhook(dev, text);
    const [row] = await logged(text);
    const { status, body } = await read(row!.id);
    expect(status).toBe(200);
    expect(body.webhookEvent).toMatchObject({ id: row!.id, signature_valid: true, raw_body: text });
    expect(body.webhookEvent).not.toHaveProperty('raw_body_encoding');
  });

  test('200 with bytes that are no text as base64', async () => {
    const bytes = Uint8Array.from([0xc3, 0x28, 0x00, ...Buffer.from(randomUUID())]);
    // Other tests may have used up the hour's.
    await sql`delete from bridge.unsigned_webhooks`;
    await sendWebhook(dev, bytes, { signature: 'wrong' });
    const [row] = await logged(bytes);
    const { body } = await read(row!.id);
    expect(body.webhookEvent).toMatchObject({
      signature_valid: false,
      raw_body: Buffer.from(bytes).toString('base64'),
      raw_body_encoding: 'base64',
    });
  });

  test.each([randomUUID(), 'no-uuid'])('404 for the unknown id %s', async (id) => {
    const { status, body } = await read(id);
    expect([status, body]).toEqual([404, { error: 'not_found', message: 'Webhook event not found' }]);
  });
});

test('a webhook reaches the outside within moments, under the id that it is linked to', async () => {
  const webhook = webhookOf('Appointment.booked');
  await sendWebhook(dev, webhook);
  const [row] = await logged(webhook);
  await eventually(async () => {
    const [delivery] = await sql<{ attempts: number }[]>`
      select attempts from bridge.event_delivery where event_id = ${row!.dispatchedOutboxId} and consumer = 'sink'
    `;
    return delivery && delivery.attempts > 0;
  });
});
