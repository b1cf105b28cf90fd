import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DevJson } from '../../dev/dev-json.js';
import { newIntake, postIntake } from '../../tests/api/intake/intakes.js';
import {
  approve,
  type ApproveAnswer,
  chargesOf,
  endedRun,
  ordersUnder,
  submissionIdOf,
} from '../../tests/api/orchestrator/approvals.js';
import { atPharmacy, cancel, type CancelAnswer } from '../../tests/api/orchestrator/exceptions.js';
import { checkRefills, dayFromToday, newSchedule } from '../../tests/api/orchestrator/refills.js';
import { asking, memberOf, newBody, organization } from '../../tests/api/patients/directory.js';
import { type Answer, call, sandbox } from '../../tests/helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../tests/helpers/patients.js';
import { inState } from '../../tests/helpers/prescription.js';
import type { PlannedStory, StoryKind } from './plan.js';

/** The request of a client and its final knowledge, which the judge compares with the services' records. */
export interface Case {
  kind: StoryKind;
  /** The router's id of the order. */
  reference: string;
  submissionId: string;
  patient: TestPatient & { state: string; customer: string };
  /** The first request and the client's last, in epoch milliseconds. */
  startedMs: number;
  endedMs: number | null;
  status: 'completed' | 'failed' | 'refused' | null;
  failedStep: string | null;
  error: string | null;
  warnings: string[];
  /** Answers of repeats that contradict the first. */
  unequal: number;
  requests: number;
  /** True if the order was cancelled. */
  cancelled: boolean;
  /** True if the client repeats the charge; a client whose approval failed does not. */
  asksForCharge: boolean;
  /**
   * True if the client was last told that a charge is in flight; without an answer, the search lasts 80 minutes
   * (D37).
   */
  chargeIsLookedFor: boolean;
}

export interface Place {
  dev: DevJson;
  stateDir: string;
  /** The clinic's receiver of callbacks. */
  callbackUrl: string;
}

const requestMs = 60_000;
/** The patience of a client without a result, from its first request. */
const patienceMs = 600_000;
/** The patience of a client whose charge is being looked for, which may take 80 minutes (D37). */
const lookedForMs = 60_000;

/** Prepares a story before any harm. @returns a client that repeats its request until it knows the result */
export async function prepare(
  place: Place,
  { kind, state, atOnce }: PlannedStory,
): Promise<{ known: Case; play: () => Promise<void> }> {
  const { dev, stateDir } = place;
  const patient = await newPatient(dev, state);
  const customer = await saveCard(dev, patient);
  const taskId = `task-${randomUUID()}`;
  const known: Case = {
    kind,
    reference: taskId,
    submissionId: submissionIdOf(dev, taskId),
    patient: { ...patient, state, customer },
    startedMs: 0,
    endedMs: null,
    status: null,
    failedStep: null,
    error: null,
    warnings: [],
    unequal: 0,
    requests: 0,
    cancelled: false,
    asksForCharge: false,
    chargeIsLookedFor: false,
  };
  const approval = { taskId, medication: 'semaglutide', emrPatientId: patient.id };
  const approved = () => approveUntilKnown(dev, known, approval, atOnce);

  const plays: Record<StoryKind, () => Promise<() => Promise<void>>> = {
    approve: async () => approved,
    cancel: async () => async () => {
      await approved();
      if (known.status !== 'completed') return;
      const answer = await repeated(known, () => cancel(dev, { taskId, reason: 'Prescribed twice.' }));
      known.cancelled = (answer.body as Partial<CancelAnswer>).cancellation?.state === 'approved';
    },
    refused: async () => {
      const bank = { customer, answer: 'card_declined', times: 1 };
      await sandbox(dev, '/stripe/bank', { method: 'POST', body: bank });
      return async () => {
        await approved();
        if (known.status !== 'completed') return;
        known.asksForCharge = true;
        const path = `/orchestrator/payments/${taskId}/retry`;
        await until(known, async () => {
          const { status } = await repeated(known, () => call(dev, 'orchestrator', { method: 'POST', path }));
          known.chargeIsLookedFor = status === 409;
          if (known.chargeIsLookedFor && Date.now() > known.startedMs + lookedForMs) return true;
          // The client sees its payment, whoever started the charge.
          return (await chargesOf(dev, taskId)).length > 0;
        });
      };
    },
    refill: async () => {
      const schedule = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(0) });
      known.reference = `refill-${schedule.id}-1`;
      known.submissionId = submissionIdOf(dev, known.reference);
      return async () => {
        await until(known, async () => {
          await repeated(known, () => checkRefills(dev));
          return endedRun(dev, `refill-${schedule.id}`);
        });
        await learn(dev, known);
      };
    },
    submit: async () => {
      const submission = { ...inState(state), callbackUrl: place.callbackUrl };
      const path = '/rx/prescriptions/submit';
      return async () => {
        const { status, body } = await repeated(
          known,
          () =>
            call<{ submissionId: string }>(dev, 'router', {
              key: 'clinic',
              method: 'POST',
              path,
              body: submission,
            }),
          [201],
        );
        known.submissionId = body.submissionId;
        known.status = status === 201 ? 'completed' : 'failed';
        if (status === 201) await moveOn(dev, known);
        known.endedMs = Date.now();
      };
    },
    intake: async () => {
      const intake = await newIntake(dev);
      known.patient = { ...known.patient, email: intake.email };
      const key = { 'idempotency-key': randomUUID() };
      return async () => {
        const { body } = await repeated(known, () => postIntake(dev, intake, key));
        known.reference = body.submissionId;
        known.status = 'completed';
        known.endedMs = Date.now();
      };
    },
    create: async () => {
      const organizationId = await organization(dev);
      const sub = `admin-${randomUUID()}`;
      const ask = asking(dev, await memberOf(dev, organizationId, 'org_user', sub, stateDir));
      const body = newBody(organizationId);
      known.reference = body.demographics.lastName;
      const key = { 'idempotency-key': randomUUID() };
      return async () => {
        await repeated(known, () => ask('POST', '/patients', body, key), [201]);
        known.status = 'completed';
        known.endedMs = Date.now();
      };
    },
  };
  return { known, play: await plays[kind]() };
}

/** The pharmacy's webhooks: each twice, one late, repeated until accepted. */
async function moveOn(dev: DevJson, known: Case): Promise<void> {
  const order = await until(known, async () => (await ordersUnder(dev, known.submissionId))[0]);
  for (const status of ['processing', 'shipped', 'shipped', 'processing', 'delivered', 'delivered'])
    await until(known, async () => {
      const { status: taken } = await atPharmacy(dev, order, 'status', { status });
      return typeof taken === 'number' && taken < 500;
    });
}

async function approveUntilKnown(
  dev: DevJson,
  known: Case,
  approval: { taskId: string; medication: string; emrPatientId: string },
  atOnce: number,
): Promise<void> {
  const ask = () =>
    repeated(
      known,
      () => approve(dev, approval, { signal: AbortSignal.timeout(requestMs) }),
      [200, 202, 500],
    );
  const answers = await Promise.all(Array.from({ length: atOnce }, ask));
  const results = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => orderOf(body)));
  known.unequal += Math.max(0, results.size - 1);
  await until(known, async () => (await learn(dev, known), true));
}

/** The final record of a task, also if an outage failed its first run and a bulk retry resumed it. */
export async function learn(dev: DevJson, known: Case): Promise<void> {
  const run = await endedRun(dev, known.reference.replace(/^(refill-.*)-\d+$/, '$1'));
  if (!run || (run.status !== 'completed' && run.status !== 'failed')) return;
  const { status, failedStep, error, warnings } = run;
  Object.assign(known, { status, failedStep, error, warnings });
  // Another client's check may send a refill.
  known.startedMs = Math.min(known.startedMs, Date.parse(String(run.createdAt)));
  known.endedMs = Date.parse(String(run.updatedAt));
}

const orderOf = ({ result }: ApproveAnswer): string | undefined =>
  (result as { submissionId?: string } | undefined)?.submissionId;

/** Repeats a request until one of these statuses answers it, as a client does after a network error, 5xx or 429. */
const repeated = <T>(
  known: Case,
  send: () => Promise<Answer<T>>,
  ends: readonly number[] = [200],
): Promise<Answer<T>> =>
  until(known, async () => {
    known.requests += 1;
    const answer = await send();
    // A failed run answers 500 with its step. A 500 without a step is our own fault, so the client repeats.
    const { failedStep } = answer.body as { failedStep?: string };
    const isEnd = ends.includes(answer.status) && (answer.status !== 500 || failedStep !== undefined);
    return (isEnd || (answer.status >= 400 && answer.status < 429)) && answer;
  });

/** Polls, whatever is down meanwhile. @throws Error on timeout */
async function until<T>({ startedMs }: Case, look: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined && found !== false) return found;
    if (Date.now() > startedMs + patienceMs) throw new Error('The client gave up');
    await pause(500);
  }
}
