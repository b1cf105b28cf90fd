import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { SignInCode } from '../../activities/organization/sign-in.js';
import type { sendSignInCode } from '../../workflows/send-sign-in-code.js';
import { startTimeSkipping, type TimeSkipping } from '../helpers/time-skipping.js';
import { outage } from './pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

/** @returns how often it was tried, and the workflow's time that it took */
async function mail(failures: number) {
  const signIn: SignInCode = { codeId: randomUUID(), email: 'kim@example.test', code: '123456' };
  let tries = 0;
  const activities = {
    mailSignInCode: async (given: SignInCode) => {
      expect(given).toEqual(signIn);
      if (tries++ < failures) outage();
    },
  };
  const taskQueue = `sign-in-${signIn.codeId}`;
  const outcome = await time
    .withWorker(taskQueue, activities, () =>
      time.env.client.workflow.execute<typeof sendSignInCode>('sendSignInCode', {
        workflowId: `sign-in-code:${signIn.codeId}`,
        taskQueue,
        args: [signIn],
      }),
    )
    .then(
      () => 'sent',
      () => 'failed',
    );
  const { startTime, closeTime } = await time.env.client.workflow
    .getHandle(`sign-in-code:${signIn.codeId}`)
    .describe();
  return { tries, outcome, tookMs: closeTime!.getTime() - startTime.getTime() };
}

it('a code is mailed once when all is well', async () => {
  expect(await mail(0)).toMatchObject({ tries: 1, outcome: 'sent' });
});

it('a code is mailed after an outage, and not any more once it is too old to be of use', async () => {
  expect(await mail(9)).toMatchObject({ tries: 10, outcome: 'sent' });
  const given = await mail(100);
  expect(given).toMatchObject({ tries: 10, outcome: 'failed' });
  expect(given.tookMs).toBeLessThan(10 * 60_000);
});
