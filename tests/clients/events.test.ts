import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type ClientEvent,
  type FollowOptions,
  Orchestrator,
  Refusal,
  verifyDelivery,
} from '../../clients/typescript/src/index.js';
import { deliveryHeaders } from '../../platform/crypto/signature.js';

const event = (sequence: number, type: ClientEvent['type'] = 'order.delivered') =>
  ({
    id: `e-${sequence}`,
    sequence,
    type,
    at: '2026-01-01T00:00:00.000Z',
    taskId: 't-1',
    planId: null,
    data: { submissionId: 's-1', trackingNumber: '1Z', carrier: null },
  }) as ClientEvent;

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}
const page = (events: ClientEvent[], nextAfter: number): Answer => ({
  status: 200,
  body: { events, nextAfter },
});
/** The answers in turn; the last one counts on. */
let answers: Answer[];
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const { status, body, headers } = answers.length > 1 ? answers.shift()! : answers[0]!;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
});
let orchestrator: Orchestrator;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  orchestrator = new Orchestrator({ baseUrl, key: { id: 'k', secret: 's' }, attempts: 1 });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
});

/** Follows until the event with this sequence, with what was handled and saved. */
async function followUntil(last: number, options: Partial<FollowOptions> = {}) {
  const ended = new AbortController();
  const handled: number[] = [];
  const saved: number[] = [];
  await orchestrator.follow(
    ({ sequence }) => {
      handled.push(sequence);
      if (sequence === last) ended.abort();
    },
    { after: 0, save: (after) => void saved.push(after), signal: ended.signal, ...options },
  );
  return { handled, saved };
}

describe('A reader of events', () => {
  test('handles each event in order and saves its sequence, also past what a filter left out', async () => {
    answers = [page([event(1), event(3)], 7), page([event(9)], 9)];
    const types = ['order.*', 'refill.sent'] as const;
    expect(await followUntil(9, { types, taskId: 't-1' })).toEqual({
      handled: [1, 3, 9],
      saved: [1, 3, 7, 9],
    });
    expect(asked).toEqual([
      '/orchestrator/events?types=order.*%2Crefill.sent&taskId=t-1&after=0',
      '/orchestrator/events?types=order.*%2Crefill.sent&taskId=t-1&after=7',
    ]);
  });

  test('does not advance past a handler that throws', async () => {
    answers = [page([event(1), event(2)], 2)];
    const saved: number[] = [];
    const following = orchestrator.follow(
      ({ sequence }) => {
        if (sequence === 2) throw new Error('not now');
      },
      { after: 0, save: (after) => void saved.push(after) },
    );
    await expect(following).rejects.toThrow('not now');
    expect(saved).toEqual([1]);
  });

  test('stops between two events when its signal is aborted', async () => {
    answers = [page([event(1), event(2)], 2)];
    expect(await followUntil(1)).toEqual({ handled: [1], saved: [1] });
  });

  test('ends after an event of the type it waits for, which a later start gets again', async () => {
    answers = [page([event(1, 'order.shipped'), event(2), event(3)], 3)];
    expect(await followUntil(0, { until: 'order.delivered' })).toEqual({ handled: [1, 2], saved: [1] });
  });

  test('waits between empty readings and begins with the newest when asked to', async () => {
    answers = [page([], 5), page([], 5), page([event(6)], 6)];
    const begun = performance.now();
    expect(await followUntil(6, { after: 'latest' })).toEqual({ handled: [6], saved: [5, 6] });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_990);
    expect(asked.map((path) => new URL(path, 'http://a').searchParams.get('after'))).toEqual([
      'latest',
      '5',
      '5',
    ]);
  });

  test('ends while it waits', async () => {
    answers = [page([], 0)];
    const ended = new AbortController();
    const following = orchestrator.follow(() => undefined, {
      after: 0,
      save: () => undefined,
      signal: ended.signal,
    });
    while (asked.length === 0) await new Promise(setImmediate);
    ended.abort();
    await following;
  });

  test('waits out an outage as long as Retry-After says, and ends with an error that a repeat does not mend', async () => {
    const away = { 'retry-after': '6', 'error-code': 'unavailable', 'error-retryable': 'true' };
    answers = [{ status: 503, body: {}, headers: away }, page([event(1)], 1)];
    const begun = performance.now();
    expect((await followUntil(1)).handled).toEqual([1]);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(5_990);
    answers = [{ status: 400, body: { error: 'Validation failed' } }];
    await expect(followUntil(1)).rejects.toThrow(Refusal);
  });

  test('knows the fields of an event by its type', () => {
    const numberOf = (told: ClientEvent): string | null =>
      told.type === 'order.delivered' ? told.data.trackingNumber : null;
    expect(numberOf(event(1))).toBe('1Z');
    const other = (told: Extract<ClientEvent, { type: 'approval.denied' }>): unknown =>
      // @ts-expect-error another type has no tracking number
      told.data.trackingNumber;
    expect(other).toBeInstanceOf(Function);
  });
});

test('A delivery to an event endpoint is verified by the secret of the key', async () => {
  const body = JSON.stringify({ events: [event(1)] });
  const headers = deliveryHeaders('secret', 'd-1', body);
  expect(await verifyDelivery({ headers, body }, 'secret')).toMatchObject({
    ok: true,
    id: 'd-1',
    payload: { events: [{ type: 'order.delivered' }] },
  });
  expect(await verifyDelivery({ headers, body }, 'guess')).toEqual({ ok: false, reason: 'wrong_signature' });
});
