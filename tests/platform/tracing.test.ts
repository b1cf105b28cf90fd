import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  beginSpan,
  currentTraceId,
  currentTraceparent,
  inSpan,
  isTracing,
  startTracing,
} from '../../platform/tracing.js';
import { type SpanReceiver, startSpanReceiver } from '../helpers/span-receiver.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = `00-${traceId}-00f067aa0ba902b7-01`;

let receiver: SpanReceiver;
beforeAll(async () => {
  receiver = await startSpanReceiver();
});
afterAll(() => receiver.close());

test('while it is off there is no span, no id, and the work is done all the same', async () => {
  expect(isTracing()).toBe(false);
  expect(beginSpan('x', { kind: 'server', parent })).toBeUndefined();
  expect(await inSpan('x', { kind: 'server', parent }, async () => currentTraceparent())).toBeUndefined();
});

test('spans go on from the caller, hand themselves on, and say of an error nothing but its type', async () => {
  const end = await startTracing(`${receiver.endpoint}/`, 0);
  const secret = new TypeError('Zephyrine Quobbleworth');
  const inner = await inSpan('outer', { kind: 'server', parent }, async () => {
    expect(currentTraceId()).toBe(traceId);
    await inSpan('failing', { kind: 'client' }, async () => {
      throw secret;
    }).catch(() => undefined);
    return inSpan('inner', { kind: 'client' }, async () => currentTraceparent());
  });
  // No request is under way.
  expect(await inSpan('alone', { kind: 'client' }, async () => currentTraceparent())).toBeUndefined();
  // Begun by nobody, and not of the share that is kept; nor is one whose caller says that it is not.
  await inSpan('ours', { kind: 'server', parent: 'none' }, async () => {
    expect(currentTraceparent()).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
  });
  await inSpan('unsampled', { kind: 'server', parent: parent.replace(/1$/, '0') }, async () => {
    expect(currentTraceparent()).toContain(traceId);
  });
  for (const odd of [`ff${parent.slice(2)}`, parent.replace(traceId, '0'.repeat(32)), `${parent}1`])
    await inSpan('odd', { kind: 'server', parent: odd }, async () =>
      expect(currentTraceId()).not.toBe(traceId),
    );
  await end();
  expect(isTracing()).toBe(false);

  const of = (name: string) => receiver.spans.find((span) => span.name === name);
  expect(receiver.spans.map(({ name }) => name).sort()).toEqual(['failing', 'inner', 'outer']);
  expect(new Set(receiver.spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(of('outer')?.parentSpanId).toBe('00f067aa0ba902b7');
  expect(of('inner')?.parentSpanId).toBe(of('outer')?.spanId);
  expect(inner).toBe(`00-${traceId}-${of('inner')?.spanId}-01`);
  expect(of('failing')?.attributes).toEqual([{ key: 'error.type', value: { stringValue: 'TypeError' } }]);
  expect(receiver.text()).not.toContain('Zephyrine');
});

test('a collector that is away costs nobody their work', async () => {
  const end = await startTracing('http://127.0.0.1:1', 1);
  expect(await inSpan('x', { kind: 'server', parent: '' }, async () => 'done')).toBe('done');
  await end();
});
