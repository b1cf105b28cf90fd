import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '../helpers/receiver.js';
import { eventSink } from '../../workers/publishing.js';

let sink: Receiver;
beforeAll(async () => void (sink = await startReceiver(() => 200)));
afterAll(() => sink.stop());

const eventOf = (detailType: string) => ({
  id: detailType,
  source: 'patients',
  detailType,
  time: '2026-01-01T00:00:00.000Z',
  organizationId: null,
  detail: {},
});
/** The types that reach the sink, of three. */
async function told(types: readonly string[]): Promise<unknown[]> {
  const before = sink.received.length;
  const secret = 's'.repeat(43);
  const tell = eventSink({
    EVENT_SINK_URL: sink.url,
    EVENT_SINK_SECRET: secret,
    EVENT_SINK_TYPES: types,
  });
  for (const type of ['patient.created', 'patient.archived', 'emr.task.completed']) await tell(eventOf(type));
  return sink.received.slice(before).map(({ body }) => (JSON.parse(body) as { type: string }).type);
}

test('the event sink is sent every type without a list, and else those listed, the others never', async () => {
  expect(await told([])).toEqual(['patient.created', 'patient.archived', 'emr.task.completed']);
  expect(await told(['patient.archived'])).toEqual(['patient.archived']);
  expect(await told(['patient.*'])).toEqual(['patient.created', 'patient.archived']);
});
