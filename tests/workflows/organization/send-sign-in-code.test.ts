import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { SignInActivities, SignInCode } from '../../../activities/organization/sign-in.js';
import type { MailOutcome } from '../../../domain/mail.js';
import type { sendSignInCode } from '../../../workflows/organization/send-sign-in-code.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { failingFirst, refusal } from '../orchestrator/pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

type Mail = SignInActivities['mailSignInCode'];

async function run(mail: Mail): Promise<{ outcome: string; attempts: number[] }> {
  const signIn: SignInCode = { codeId: randomUUID(), email: 'kim@example.test', code: '123456' };
  const attempts: number[] = [];
  const mailSignInCode: Mail = ({ attempt, ...given }) => {
    expect(given).toEqual(signIn);
    attempts.push(attempt);
    return mail({ attempt, ...given });
  };
  const taskQueue = `sign-in-${signIn.codeId}`;
  const outcome = await time.withWorker(taskQueue, { mailSignInCode }, () =>
    time.env.client.workflow.execute<typeof sendSignInCode>('sendSignInCode', {
      workflowId: `sign-in-code:${signIn.codeId}`,
      taskQueue,
      args: [signIn],
    }),
  );
  return { outcome, attempts };
}
const outcomes = (...given: MailOutcome[]): Mail => {
  let calls = 0;
  return async () => given[calls++] ?? 'sent';
};

it('a code is mailed once when all is well', async () => {
  expect(await run(outcomes('sent'))).toEqual({ outcome: 'sent', attempts: [1] });
});

it('a code that no channel delivered is mailed again, each time under a key of its own', async () => {
  const tried = await run(outcomes('undelivered', 'undelivered', 'sent'));
  expect(tried).toEqual({ outcome: 'sent', attempts: [1, 2, 3] });
});

it('a service that gives no verdict is asked again under the same key, however long it takes', async () => {
  const { outcome, attempts } = await run(failingFirst(30, async () => 'sent' as const));
  expect(outcome).toBe('sent');
  expect(new Set(attempts)).toEqual(new Set([1]));
});

it('a code is not mailed any more once it can be entered no more', async () => {
  expect(await run(outcomes('undelivered', 'obsolete'))).toEqual({ outcome: 'obsolete', attempts: [1, 2] });
});

it('is red when the service refuses the request', async () => {
  await expect(run(refusal('Notification service answered 401'))).rejects.toThrow(
    'Workflow execution failed',
  );
});
