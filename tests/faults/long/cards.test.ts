import { afterEach, expect, test } from '@jest/globals';
import { approve, chargesOf, semaglutideFor } from '../../api/orchestrator/approvals.js';
import { refundsOf } from '../../api/orchestrator/exceptions.js';
import { mailsTo, visit } from '../../api/intake/visitors.js';
import { type Answer, call, eventually, sandbox } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { clearFaults, type Fault, faultsMet, setFault } from '../faults.js';
import { dev } from '../faulty-system.js';

afterEach(() => clearFaults(dev));

/** A task whose saved card was declined, once, and the token of the link that its patient was sent. */
async function unpaid(): Promise<{ taskId: string; token: string }> {
  const patient = await newPatient(dev, 'WA');
  const customer = await saveCard(dev, patient);
  await sandbox(dev, '/stripe/bank', {
    method: 'POST',
    body: { customer, answer: 'card_declined', times: 1 },
  });
  const approval = semaglutideFor(patient.id);
  expect((await approve(dev, approval)).body.result.warnings).toEqual(['payment_failed']);
  const token = await eventually(async () => {
    const texts = (await mailsTo(dev, patient.email)).map(({ text }) => text).join('\n');
    return /https?:\/\/\S+\/pay\?token=([\w.-]+)/.exec(texts)?.[1];
  });
  return { taskId: approval.taskId, token };
}

type Charging = (unpaid: { taskId: string; token: string }) => Promise<Answer<unknown>>;
const retry: Charging = ({ taskId }) =>
  call(dev, 'orchestrator', { method: 'POST', path: `/orchestrator/payments/${taskId}/retry` });
const newCard: Charging = ({ token }) => visit(dev, '/pay', { token, paymentMethodId: 'pm_card_mastercard' });

const slow: Partial<Fault> = { kind: 'delay', delayMs: 2_000 };
const unanswered: Partial<Fault> = { kind: 'lost-answer' };

test.each<[string, string, Charging, Charging, Partial<Fault>]>([
  ['a new card', 'a retry whose charge is slow', retry, newCard, slow],
  ['a new card', 'a retry whose charge has no answer', retry, newCard, unanswered],
  ['a retry', 'a new card whose charge is slow', newCard, retry, slow],
  ['a retry', 'a new card whose charge has no answer', newCard, retry, unanswered],
])('%s meets %s: charged once, and nothing is given back', async (_second, _first, first, second, fault) => {
  const owed = await unpaid();
  await setFault(dev, {
    target: 'stripe',
    operation: 'paymentIntents.create',
    kind: 'delay',
    ...fault,
    times: 1,
  });
  const under = first(owed);
  await faultsMet(dev);
  const answers = await Promise.all([under, second(owed)]);
  for (const { status } of answers) expect([200, 202, 409]).toContain(status);
  await eventually(async () => (await chargesOf(dev, owed.taskId)).length > 0);
  // A later caller learns that nothing is owed.
  await eventually(async () => (await newCard(owed)).status === 409);
  expect((await retry(owed)).status).toBe(409);
  expect(await chargesOf(dev, owed.taskId)).toHaveLength(1);
  expect(await refundsOf(dev, owed.taskId)).toEqual([]);
});
