import type { DevJson } from '../../../dev/dev-json.js';
import type { Run } from '../../../db/orchestrator/runs.js';
import type { PipelineResult } from '../../../domain/orchestrator/pipeline.js';
import { uuidV5 } from '../../../platform/crypto/ids.js';
import { type Answer, call, freshTask, mailboxOf, receivedBy, sandbox } from '../../helpers/client.js';
import type { TestPatient } from '../../helpers/patients.js';

export const allSteps = [
  'medication_config',
  'patient_details',
  'prescriber_resolution',
  'pharmacy_submission',
  'payment',
  'shipment',
  'notification',
];

interface Approval {
  taskId: string;
  medication: string;
  emrPatientId: string;
  dosage?: string;
}

export const semaglutideFor = (emrPatientId: string): Approval => ({
  taskId: freshTask(),
  medication: 'semaglutide',
  emrPatientId,
});

/** The answer of approve, whatever the status. */
export interface ApproveAnswer {
  success: true;
  result: PipelineResult;
  error: string;
  failedStep: string;
  details: { path: string; message: string }[];
  taskId: string;
  runId: string;
  statusUrl: string;
}

export const approve = (
  dev: DevJson,
  body: unknown,
  options: { key?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Answer<ApproveAnswer>> =>
  call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/approve', body, ...options });

/** Answered at once: the run is under way. */
export const approveAsync = (dev: DevJson, body: Approval): Promise<Answer<ApproveAnswer>> =>
  approve(dev, body, { headers: { prefer: 'respond-async' } });

/** All runs of a task, newest first; none when the task is unknown. */
export async function runsOf(dev: DevJson, taskId: string): Promise<Run[]> {
  const path = `/orchestrator/status/${encodeURIComponent(taskId)}`;
  const { status, body } = await call<{ runs: Run[] }>(dev, 'orchestrator', { path });
  return status === 404 ? [] : body.runs;
}

/** The newest run of a task once it has ended. For `eventually`; a service that is down is asked again. */
export async function endedRun(dev: DevJson, taskId: string): Promise<Run | undefined> {
  const [run] = await runsOf(dev, taskId).catch(() => []);
  return run === undefined || run.status === 'pending' ? undefined : run;
}

/** The router's id of the orchestrator's order for a task, known before it is made (D21, D30). */
export const submissionIdOf = (dev: DevJson, taskId: string): string =>
  uuidV5('submission', dev.apiKeys['orchestrator']!.key, 'orchestrator', taskId);

export interface Order {
  pharmacy: string;
  orderId: string;
  idempotencyKey: string;
  body: Record<string, unknown>;
}

/** The orders that pharmacies hold for a task. */
export const ordersOf = (dev: DevJson, taskId: string): Promise<Order[]> =>
  ordersUnder(dev, submissionIdOf(dev, taskId));

/** The orders that pharmacies hold for a submission. */
export async function ordersUnder(dev: DevJson, submissionId: string): Promise<Order[]> {
  const { orders } = await sandbox<{ orders: Order[] }>(dev, '/orders');
  return orders.filter(({ body }) => [body['externalId'], body['reference']].includes(submissionId));
}

interface Charge {
  amountCents: number;
  currency: string;
  customer: string;
  status: string;
  metadata: Record<string, string>;
}

/** Successful charges at the processor for a task. */
export async function chargesOf(dev: DevJson, taskId: string): Promise<Charge[]> {
  const { charges } = await sandbox<{ charges: Charge[] }>(dev, '/charges');
  return charges.filter(({ metadata, status }) => metadata['task_id'] === taskId && status === 'succeeded');
}

export interface Exchange {
  /** When it arrived. */
  at: string;
  operation: string;
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  status: number | null;
  responseBody: Record<string, unknown> | null;
}

/** The calls that a party has received, newest first; one without a body has an empty one. */
export async function callsTo(dev: DevJson, target: string): Promise<Exchange[]> {
  type Sent = Omit<Exchange, 'body'> & { body: Exchange['body'] | null };
  const { requests } = await sandbox<{ requests: Sent[] }>(dev, `/requests?target=${target}`);
  return requests.map(({ body, ...call }) => ({ ...call, body: body ?? {} }));
}

/** The ids of the shipments made for a task, each once. */
export async function shipmentsOf(dev: DevJson, taskId: string): Promise<unknown[]> {
  const made = (await callsTo(dev, 'shipping')).filter(
    ({ body, status }) => status === 201 && body['reference'] === submissionIdOf(dev, taskId),
  );
  return [...new Set(made.map(({ responseBody }) => responseBody?.['shipmentId']))];
}

interface Message {
  channel: string;
  to: string | null;
  subject: string | null;
  text: string | null;
  html: string | null;
}

/**
 * Messages to a patient, in the order of channels. A text has no key at its provider, so that a late answer brings it
 * again: it is counted no oftener than there are mails.
 */
export async function messagesTo(dev: DevJson, { email, phone }: TestPatient): Promise<Message[]> {
  const mails = await mailboxOf<Message>(dev, email);
  const times = new Map<string | null, number>();
  const texts = (await receivedBy<Message>(dev, phone)).filter(({ text }) => {
    times.set(text, (times.get(text) ?? 0) + 1);
    return times.get(text)! <= Math.max(1, mails.length);
  });
  return [...mails, ...texts].sort((a, b) => a.channel.localeCompare(b.channel));
}
