import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { type ClientEvent, verifyDelivery } from '../../clients/typescript/src/index.js';
import { compiledSources } from '../../dev/compile.js';
import { approve, semaglutideFor } from '../api/orchestrator/approvals.js';
import { eventually, patientIn, shared } from '../helpers/client.js';
import { rx } from './rx.js';

const dev = shared();
/** A task whose approval has failed, with its event. */
async function failedTask(): Promise<string> {
  const { taskId } = semaglutideFor('nobody');
  await approve(dev, { ...semaglutideFor('nobody'), taskId });
  await eventually(async () =>
    (await rx('events', '--task', taskId, '--json')).stdout.includes('approval.failed'),
  );
  return taskId;
}

test('rx events lists what became of a task, and follows what comes', async () => {
  const taskId = await failedTask();
  const listed = await rx('events', '--task', taskId, '--types', 'approval.*');
  expect(listed.stdout).toMatch(/Sequence.*Type.*Task.*Data/);
  expect(listed.stdout).toContain('patient_not_found');
  const unknown = await rx('events', '--types', 'order.lost');
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('Validation failed')]);

  const main = join(await compiledSources(), 'dev/rx.js');
  const following = spawn(process.execPath, [main, 'events', '--after', 'latest', '--follow', '--json']);
  let printed = '';
  following.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  // Only an approval after its first reading is new to it.
  await eventually(async () => {
    const { taskId } = semaglutideFor('nobody');
    await approve(dev, { ...semaglutideFor('nobody'), taskId });
    return printed !== '';
  });
  following.kill();
  await once(following, 'exit');
  const [line = ''] = printed.split('\n');
  expect(JSON.parse(line)).toMatchObject({ sequence: expect.any(Number), type: expect.any(String) });
});

test('rx listen --forward-to posts events as an endpoint gets them, and the same again until it is taken', async () => {
  const approval = semaglutideFor(patientIn(dev, 'NY'));
  expect((await approve(dev, approval)).status).toBe(200);
  const { taskId } = approval;
  await eventually(async () => (await rx('events', '--task', taskId)).stdout.includes('approval.completed'));
  const { secret } = dev.apiKeys['approvals']!;
  const received: { id: string; events: ClientEvent[] }[] = [];
  const receiver = createServer((request, response) => {
    void buffer(request).then(async (body) => {
      const verified = await verifyDelivery({ headers: request.headers, body }, secret);
      if (verified.ok) received.push({ id: verified.id, events: verified.payload.events });
      response.writeHead(received.length === 1 ? 503 : 204).end();
    });
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
  const { exitCode, stdout, stderr } = await rx(
    ...['listen', '--forward-to', to, '--after', '0', '--task', taskId, '--count', '1'],
  );
  receiver.close();
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('It answered 503: the same again in 1 s.')]);
  const [first, second] = received;
  expect(second).toEqual(first);
  expect(first!.events.map(({ type }) => type)).toContain('approval.completed');
  expect(stdout).toContain('continue with --after ');
});

test('rx listen forwards to this machine only', async () => {
  const { exitCode, stderr } = await rx('listen', '--forward-to', 'https://example.com/events');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Give an address on this machine')]);
});
