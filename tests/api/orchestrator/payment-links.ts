import { expect } from '@jest/globals';
import { eventually, sandbox, shared } from '../../helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
import { mailsTo, visit } from '../intake/visitors.js';
import { approve, semaglutideFor } from './approvals.js';

const dev = shared();

interface Paid {
  paid?: boolean;
  status?: string;
  error?: string;
}
export const pay = (token: string, card: object = {}) => visit<Paid>(dev, '/pay', { token, ...card });
export const open = (token: string, accept = 'text/html') =>
  fetch(`${dev.services.intake}/pay?token=${encodeURIComponent(token)}`, { headers: { accept } });

/** The token of the link in the newest mail about an unpaid charge. */
const linkSentTo = ({ email }: TestPatient, subject = 'Your payment did not go through'): Promise<string> =>
  eventually(async () => {
    const [mail] = (await mailsTo(dev, email)).filter((mail) => mail.subject === subject);
    return /https?:\/\/\S+\/pay\?token=([\w.-]+)/.exec(mail?.text ?? '')?.[1];
  });

type Agreed = Parameters<typeof saveCard>[2];
/** A task whose charge has failed, and the link that its patient was sent. */
export async function unpaid(agreed: Agreed | null) {
  const patient = await newPatient(dev, 'WA');
  const customer = agreed === null ? null : await saveCard(dev, patient, agreed);
  const approval = semaglutideFor(patient.id);
  const { body } = await approve(dev, approval);
  expect(body.result.warnings).toEqual(['payment_failed']);
  return { taskId: approval.taskId, patient, customer, token: await linkSentTo(patient) };
}
/** Every attempt at a charge that the processor has seen. */
export const attemptsAt = async (taskId: string) => {
  const { charges } = await sandbox<{ charges: { metadata: Record<string, string>; status: string }[] }>(
    dev,
    '/charges',
  );
  return charges.flatMap(({ metadata }) => (metadata['task_id'] === taskId ? [metadata['charge_key']] : []));
};
