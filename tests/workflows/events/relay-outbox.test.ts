import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { relayOutbox } from '../../../workflows/events/relay-outbox.js';
import { eventually } from '../../helpers/client.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

describe('the relay of an outbox', () => {
  it('goes on after each hand-over and each fault, in runs of bounded length', async () => {
    let calls = 0;
    const taskQueue = `relay-${randomUUID()}`;
    await time.withWorker(
      taskQueue,
      {
        relayOutbox: async () => {
          calls += 1;
          if (calls === 2) throw new Error('The database is away');
        },
      },
      async () => {
        const handle = await time.env.client.workflow.start<typeof relayOutbox>('relayOutbox', {
          workflowId: `outbox:${randomUUID()}`,
          taskQueue,
          args: ['router'],
        });
        // Each hand-over is some events; the first run has come to its end when another one bears the id.
        const latest = time.env.client.workflow.getHandle(handle.workflowId);
        await eventually(async () => (await latest.describe()).runId !== handle.firstExecutionRunId);
        expect((await latest.describe()).status.name).toBe('RUNNING');
        await latest.terminate();
      },
    );
    expect(calls).toBeGreaterThan(10);
  });
});
