import { randomUUID } from 'node:crypto';
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
import {
  checkRefills,
  dayFromToday,
  newSchedule,
  type Schedule,
} from '../../tests/api/orchestrator/refills.js';
import { asking, memberOf, newBody, organization } from '../../tests/api/patients/directory.js';
import { call, sandbox } from '../../tests/helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../tests/helpers/patients.js';
import { inState } from '../../tests/helpers/prescription.js';
import { mend, moreParcels, orderAgain, replaceOnce, sendElsewhere, type Told } from './care.js';
import { learn, repeated, until } from './client.js';
import type { PlannedStory, StoryKind } from './plan.js';

/** The address of test patients in the EMR. */
const homeLine = '18 Larch Lane';
/** No pharmacy serves it. */
const unserved = 'CA';
/** More numbers of an order than a story needs. */
const numbers = [1, 2, 3, 4, 5, 6];

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
  /** True once the client has asked for what its kind of story is about, after the first order. */
  asked: boolean;
  /** The references under which a replacement or an order again may be placed. */
  later: Reference[];
  /** True if the patient pays for the replacement. */
  isPatients: boolean;
  /** The tracking numbers that the pharmacy gave. */
  parcels: string[];
  /** Where the order must go; its state decides the pharmacy. */
  shipTo: { addressLine1: string; state: string };
}

export interface Reference {
  reference: string;
  /** The router's id of its order. */
  submissionId: string;
}

export interface Place {
  dev: DevJson;
  stateDir: string;
  /** The clinic's receiver of callbacks. */
  callbackUrl: string;
}

const requestMs = 60_000;
/** The patience of a client whose charge is being looked for, which may take 80 minutes (D37). */
const lookedForMs = 60_000;

/**
 * Prepares a story before any harm.
 * @returns a client that repeats its request until it knows the result. It sets the story's faults before the request
 * that its kind of story is about.
 */
export async function prepare(
  place: Place,
  story: PlannedStory,
): Promise<{ known: Case; play: (meetFaults: () => Promise<void>) => Promise<void> }> {
  const { dev, stateDir } = place;
  const { kind, state, atOnce, isOther } = story;
  const elsewhere = state === 'NY' ? 'WA' : 'NY';
  const homes: Partial<Record<StoryKind, string>> = { mended: unserved, elsewhere };
  const patient = await newPatient(dev, homes[kind] ?? state);
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
    asked: false,
    later: [],
    isPatients: isOther,
    parcels: [],
    shipTo: { addressLine1: homeLine, state },
  };
  const under = (reference: string): Reference => ({
    reference,
    submissionId: submissionIdOf(dev, reference),
  });
  const approval = { taskId, medication: 'semaglutide', emrPatientId: patient.id };
  const approved = () => approveUntilKnown(dev, known, approval, atOnce);

  const ownSchedule = async (dates: Partial<Schedule>) => {
    const schedule = await newSchedule(dev, { emrPatientId: patient.id, ...dates });
    Object.assign(known, under(`refill-${schedule.id}-1`));
    return schedule;
  };
  const afterApproval = (then: (told: Told) => Promise<void>) => async (meetFaults: () => Promise<void>) => {
    await approved();
    if (known.status === 'completed') await then({ place, known, story, meetFaults });
  };

  const plays: Record<StoryKind, () => Promise<(meetFaults: () => Promise<void>) => Promise<void>>> = {
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
      const schedule = await ownSchedule({ nextFillDate: dayFromToday(0) });
      return async () => {
        await until(known, async () => {
          // Shared by all clients, so that checks overlap.
          await repeated(known, () => checkRefills(dev));
          return endedRun(dev, `refill-${schedule.id}`);
        });
        await learn(dev, known);
      };
    },
    mended: async () => {
      const { id } = await ownSchedule({ nextFillDate: dayFromToday(0) });
      return (meetFaults) => mend({ place, known, story, meetFaults }, id);
    },
    elsewhere: async () => {
      known.shipTo.addressLine1 = '2 Oak St';
      const dates = { lastFillDate: dayFromToday(-60), nextFillDate: dayFromToday(1) };
      const { id } = await ownSchedule(dates);
      return (meetFaults) => sendElsewhere({ place, known, story, meetFaults }, id);
    },
    replaced: async () => {
      known.later = numbers.map((n) => under(`${taskId}~${n}`));
      return afterApproval(replaceOnce);
    },
    missing: async () => {
      known.later = numbers.map((n) => under(`${taskId}#${n + 1}`));
      return afterApproval(orderAgain);
    },
    parcels: async () => afterApproval(moreParcels),
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
      const sub = randomUUID();
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
  const play = await plays[kind]();
  const meetsLater = ['mended', 'elsewhere', 'replaced', 'missing', 'parcels'].includes(kind);
  return {
    known,
    play: async (meetFaults) => {
      if (!meetsLater) await meetFaults();
      await play(meetFaults);
    },
  };
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

const orderOf = ({ result }: ApproveAnswer): string | undefined =>
  (result as { submissionId?: string } | undefined)?.submissionId;
