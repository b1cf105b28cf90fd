import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { IntakeMailActivities } from '../../../activities/intake/mails.js';
import type { MailOutcome } from '../../../domain/mail.js';
import type { sendCode } from '../../../workflows/intake/send-code.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { failingFirst, refusal } from '../orchestrator/pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

type Send = IntakeMailActivities['sendVerificationCode'];

async function run(send: Send): Promise<{ outcome: string; attempts: number[] }> {
  const attempts: number[] = [];
  const sendVerificationCode: Send = (mail) => {
    attempts.push(mail.attempt);
    return send(mail);
  };
  const taskQueue = `send-code-${randomUUID()}`;
  const outcome = await time.withWorker(taskQueue, { sendVerificationCode }, () =>
    time.env.client.workflow.execute<typeof sendCode>('sendCode', {
      workflowId: `verification-code:${randomUUID()}`,
      taskQueue,
      args: [{ codeId: 'code', email: 'ada@example.test', code: '123456' }],
    }),
  );
  return { outcome, attempts };
}
const outcomes = (...given: MailOutcome[]): Send => {
  let calls = 0;
  return async () => given[calls++] ?? 'sent';
};

it('ends with the code sent', async () => {
  expect(await run(outcomes('sent'))).toEqual({ outcome: 'sent', attempts: [1] });
});

it('tries a mail that no channel delivered again, each time under a key of its own', async () => {
  const tried = await run(outcomes('undelivered', 'undelivered', 'sent'));
  expect(tried).toEqual({ outcome: 'sent', attempts: [1, 2, 3] });
});

it('asks a service that gives no verdict again under the same key, however long it takes', async () => {
  const { outcome, attempts } = await run(failingFirst(30, async () => 'sent' as const));
  expect(outcome).toBe('sent');
  expect(new Set(attempts)).toEqual(new Set([1]));
});

it('ends when the code can be entered no more', async () => {
  expect(await run(outcomes('undelivered', 'obsolete'))).toEqual({ outcome: 'obsolete', attempts: [1, 2] });
});

it('is red when the service refuses the request', async () => {
  await expect(run(refusal('Notification service answered 401'))).rejects.toThrow(
    'Workflow execution failed',
  );
});
