import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { recordEvent } from '../../../db/orchestrator/events.js';
import { call, eventually } from '../../helpers/client.js';
import { type Receiver, startReceiver } from '../../helpers/receiver.js';
import { dev, sql, temporal } from '../faulty-system.js';

const path = '/orchestrator/event-endpoint';
const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.stop())));

async function receiver(answerTo: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(answerTo);
  receivers.push(started);
  return started;
}
async function record(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await recordEvent(sql, { type: 'approval.denied', taskId: randomUUID(), data: { runId: 'r' } });
}
/** Kills a process, which is another than the last time, and waits for nothing. */
async function kill(name: 'workers' | 'postgres'): Promise<void> {
  const pid = await eventually(async () => dev.pids[name] !== killed.get(name) && dev.pids[name]);
  process.kill(pid, 'SIGKILL');
  killed.set(name, pid);
}
const killed = new Map<string, number>();

test('workers and Postgres killed, the run terminated: the receiver ends with every event in order, each delivery one text', async () => {
  const { url, received } = await receiver(({ count }) =>
    count % 3 === 0 ? 200 : count % 3 === 1 ? 'reset' : 503,
  );
  const put = await call<{ endpoint: { deliveredUpTo: number } }>(dev, 'orchestrator', {
    method: 'PUT',
    path,
    body: { url },
  });
  const { deliveredUpTo: from } = put.body.endpoint;
  for (const step of ['workers', 'run', 'workers', 'postgres', 'workers'] as const) {
    const before = received.length;
    await eventually(() =>
      record(130).then(
        () => true,
        () => false,
      ),
    );
    await eventually(async () => received.length > before);
    if (step === 'run')
      await temporal.client.workflow
        .getHandle('endpoint:')
        .terminate('lost')
        .catch(() => undefined); // it may have ended by itself
    else await kill(step);
  }
  const last = await eventually(async () => {
    const [stream] = await sql<{ last: number; waiting: number }[]>`
      select last_sequence::int as last, (
        select count(*)::int from orchestrator.client_event where client = '' and sequence is null
      ) as waiting
      from orchestrator.client_stream where client = ''
    `.catch(() => []);
    return stream?.waiting === 0 && stream.last;
  });
  await eventually(async () => {
    const answer = await call<{ endpoint?: { deliveredUpTo: number } }>(dev, 'orchestrator', { path }).catch(
      () => undefined,
    );
    return answer?.body.endpoint?.deliveredUpTo === last;
  });
  const texts = new Map<string, Set<string>>();
  for (const { headers, body } of received) {
    const id = String(headers['webhook-id']);
    texts.set(id, (texts.get(id) ?? new Set()).add(body));
  }
  expect([...texts.values()].every((bodies) => bodies.size === 1)).toBe(true);
  const taken = [...texts.values()].flatMap(([body = '']) =>
    (JSON.parse(body) as { events: { sequence: number }[] }).events.map(({ sequence }) => sequence),
  );
  expect(taken).toEqual(Array.from({ length: last - from }, (_, index) => from + index + 1));
});
