import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Notification } from '../../domain/notification/notification.js';
import { chargeAgain, giveBackAgain } from '../../starts/dunning.js';
import * as intake from '../../starts/intake.js';
import * as notification from '../../starts/notification.js';
import * as changes from '../../starts/order-changes.js';
import * as orchestrator from '../../starts/orchestrator.js';
import * as organization from '../../starts/organization.js';
import * as patients from '../../starts/patients.js';
import { closeDay } from '../../starts/daily-close.js';
import { reconcileStatement } from '../../starts/statements.js';
import { recoverRuns } from '../../starts/bulk-retry.js';
import * as retention from '../../starts/retention.js';
import * as router from '../../starts/router.js';
import { shared } from '../helpers/client.js';
import { openUnserved, type Unserved } from './unserved.js';

let unserved: Unserved;
beforeAll(async () => {
  unserved = await openUnserved(shared(), 'starts-test');
});
afterAll(() => unserved.stop());
beforeEach(() => unserved.bePatient(60_000));

type Begun = Promise<{ state: string }>;
interface Start {
  begin: (withinMs: number) => Begun;
  /** The same id for something else; undefined where all requests under an id mean the same. */
  other?: (withinMs: number) => Begun;
}
const longMs = 40_000;
const by = { id: randomUUID(), email: 'kim@example.test', ip: null, userAgent: null } as never;

/** Every function of starts/ that begins a run somebody waits for, each time under a fresh id. */
const starts: Record<string, () => Start> = {
  approve: () => {
    const request = { taskId: `test-${randomUUID()}`, medication: 'semaglutide', emrPatientId: 'p' };
    const approve = (medication: string) => (withinMs: number) =>
      orchestrator.approve(
        { sql: unserved.sql, temporal: unserved.client },
        { ...request, medication },
        withinMs,
      );
    return { begin: approve('semaglutide'), other: approve('tirzepatide') };
  },
  deny: () => {
    const taskId = `test-${randomUUID()}`;
    return { begin: (withinMs) => orchestrator.deny(unserved.client, { taskId }, withinMs) };
  },
  cancelApproval: () => {
    const taskId = `test-${randomUUID()}`;
    const request = { reason: 'Twice', stopRefills: false, requestedBy: 'approvals' };
    const cancel = (reference: string) => (withinMs: number) =>
      changes.cancelApproval(unserved.client, taskId, { ...request, reference }, withinMs);
    return { begin: cancel(taskId), other: cancel(`${taskId}-2`) };
  },
  rerouteOrder: () => {
    const taskId = `test-${randomUUID()}`;
    const request = { reference: taskId, requestedBy: 'approvals' };
    const reroute = (pharmacy: 'pharmacy_a' | 'pharmacy_b') => (withinMs: number) =>
      changes.rerouteOrder(unserved.client, taskId, { ...request, pharmacy }, withinMs);
    return { begin: reroute('pharmacy_a'), other: reroute('pharmacy_b') };
  },
  replaceOrder: () => {
    const taskId = `test-${randomUUID()}`;
    const replacing = { taskId, reference: `${taskId}~1` };
    return { begin: (withinMs) => changes.replaceOrder(unserved.client, replacing, withinMs) };
  },
  chargeAgain: () => {
    const taskId = `test-${randomUUID()}`;
    const charge = { taskId, emrPatientId: 'p', priceCents: 100 };
    return {
      begin: (withinMs) => chargeAgain(unserved.client, { taskId, n: 2, charge }, withinMs),
    };
  },
  closeDay: () => {
    const date = `19${Math.floor(Math.random() * 90) + 10}-01-01`;
    return { begin: (withinMs) => closeDay(unserved.client, date, withinMs) };
  },
  reconcileStatement: () => {
    const statement = { id: randomUUID(), pharmacy: 'pharmacy_a' };
    return { begin: (withinMs) => reconcileStatement(unserved.client, statement, withinMs) };
  },
  recoverRuns: () => {
    const recovery = { recoveryId: randomUUID(), what: '2 at payment' };
    return { begin: (withinMs) => recoverRuns(unserved.client, recovery, withinMs) };
  },
  giveBackAgain: () => {
    const taskId = `test-${randomUUID()}`;
    const refund = { taskId, reference: taskId };
    return { begin: (withinMs) => giveBackAgain(unserved.client, refund, withinMs) };
  },
  sendRefillAgain: () => {
    const refill = { scheduleId: randomUUID(), n: 1, medication: 'semaglutide', emrPatientId: 'p' };
    return { begin: (withinMs) => orchestrator.sendRefillAgain(unserved.client, refill, withinMs) };
  },
  makeLabelAgain: () => {
    const submissionId = randomUUID();
    const lost = { shipment: { submissionId }, lostAtMs: 0 } as Parameters<
      typeof orchestrator.makeLabelAgain
    >[1];
    return { begin: (withinMs) => orchestrator.makeLabelAgain(unserved.client, lost, withinMs) };
  },
  checkRefills: () => ({ begin: (withinMs) => orchestrator.checkRefills(unserved.client, withinMs) }),
  submit: () => {
    const claim = { submissionId: randomUUID(), patientState: 'NY', isTest: false, apiKeyId: 'clinic' };
    const submit = (payloadHash: string) => (withinMs: number) =>
      router.submit(
        unserved.client,
        { ...claim, payloadHash, medicationName: 'Semaglutide' } as router.SubmissionRequest,
        withinMs,
      );
    return { begin: submit('a'), other: submit('b') };
  },
  cancelPrescription: () => {
    const submissionId = randomUUID();
    return { begin: (withinMs) => router.cancelPrescription(unserved.client, submissionId, withinMs) };
  },
  send: () => {
    const logId = randomUUID();
    const send = (bodyHash: string) => (withinMs: number) =>
      notification.send(unserved.client, { logId, bodyHash, type: 'otp' } as Notification, withinMs);
    return { begin: send('a'), other: send('b') };
  },
  createPatient: () => {
    const ids = { id: randomUUID(), organizationId: randomUUID() };
    const create = (bodyHash: string) => (withinMs: number) =>
      patients.createPatient(
        unserved.client,
        { ...ids, bodyHash } as patients.CreatePatientRequest,
        withinMs,
      );
    return { begin: create('a'), other: create('b') };
  },
  createOrganization: () => {
    const organizationToMake = { id: randomUUID(), slug: 'a', displayName: 'A', kind: 'dtc', by } as const;
    const create = (withinMs: number) =>
      organization.createOrganization(unserved.client, organizationToMake, withinMs);
    return { begin: create, other: create };
  },
  sendCode: () => {
    const code = { codeId: randomUUID(), email: 'pat@example.test', code: '000000' };
    return { begin: (withinMs) => intake.sendCode(unserved.client, code, withinMs) };
  },
};

describe.each(Object.keys(starts))('%s', (name) => {
  test('is late with the id of the run while the run is not at its end', async () => {
    const { begin } = starts[name]!();
    await unserved.bePatient(2_000);
    expect(await begin(longMs)).toEqual({ state: 'timed_out', runId: expect.any(String) });
  });

  test.each(['terminate', 'cancel'] as const)(
    'is terminated when an operator did %s its run',
    async (end) => {
      const { begin } = starts[name]!();
      const already = unserved.count();
      const outcome = begin(longMs);
      await unserved[end](await unserved.begun(already));
      expect(await outcome).toEqual({ state: 'terminated', joined: false, runId: expect.any(String) });
    },
  );

  test('joins the run for the same, and refuses the one for something else', async () => {
    const { begin, other } = starts[name]!();
    const first = await begin(0);
    if (other) {
      const { state } = await other(longMs);
      expect(['conflict', 'held']).toContain(state);
    }
    // A request that nobody can repeat has no second one to join.
    if (other !== begin && name !== 'checkRefills') expect(await begin(0)).toEqual(first);
  });
});

describe('asking a run', () => {
  const hostname = () => ({ hostname: `care-${randomUUID()}.example.test`, organizationId: randomUUID() });
  const questions: [string, (withinMs: number) => Begun][] = [
    ['storeIntake', (withinMs) => intake.storeIntake(unserved.client, randomUUID(), withinMs)],
    ['verifyDomain', (withinMs) => organization.verifyDomain(unserved.client, hostname(), by, withinMs)],
    [
      'answerHold',
      (withinMs) =>
        router.answerHold(unserved.client, { submissionId: randomUUID(), holdId: 'h1' }, 1, withinMs),
    ],
    ['activateDomain', (withinMs) => organization.activateDomain(unserved.client, hostname(), by, withinMs)],
  ];
  test.each(questions)('%s is late when the run does not answer in time', async (_name, asked) => {
    expect((await asked(2_000)).state).toBe('timed_out');
  });

  test('the EMR did not answer in time for whom a patient is looked for', async () => {
    const find = intake.patientFinder(unserved.client, 's'.repeat(64));
    const wanted = { submissionId: randomUUID(), person: 'pat', namesake: 'a', timeoutMs: 2_000 };
    expect(await find(wanted)).toEqual({ error: 'EMR did not answer in time' });
  });
});

describe('nobody waits for', () => {
  test('what follows a cancellation by a pharmacy, which no request to cancel joins', async () => {
    const taskId = `test-${randomUUID()}`;
    const order = { heldBy: taskId, reference: `${taskId}~1`, submissionId: randomUUID() };
    await changes.followCancelledOrder(unserved.client, taskId, order);
    const asked = { reference: taskId, reason: 'Twice', stopRefills: false, requestedBy: 'approvals' };
    expect(await changes.cancelApproval(unserved.client, taskId, asked, longMs)).toEqual({
      state: 'conflict',
    });
  });

  test('a checkout, which is under way until it is ended', async () => {
    const emailKey = randomUUID();
    const end = () => intake.endCheckout(unserved.client, emailKey, longMs);
    expect(await end()).toBe(false);
    await intake.startCheckout(unserved.client, emailKey, { email: '', codeId: '', since: '' });
    expect(await end()).toBe(true);
  });

  test('an invitation, of which there is one for an event', async () => {
    const eventId = randomUUID();
    const invitation = { logId: randomUUID(), type: 'magic_link' } as Notification;
    await notification.invite(unserved.client, eventId, invitation);
    await notification.invite(unserved.client, eventId, invitation);
    const { historyLength } = await unserved.client.workflow.getHandle(`invitation:${eventId}`).describe();
    expect(historyLength).toBe(2);
  });

  test('a word that codes are locked, of which there is one for an event', async () => {
    const eventId = randomUUID();
    const warning = { logId: randomUUID(), type: 'support_message' } as Notification;
    await notification.warn(unserved.client, eventId, warning);
    await notification.warn(unserved.client, eventId, warning);
    const { historyLength } = await unserved.client.workflow.getHandle(`codes-locked:${eventId}`).describe();
    expect(historyLength).toBe(2);
  });

  test('an erasure, of which there is one run at a time', async () => {
    const erasureId = randomUUID();
    await retention.beginErasure(unserved.client, erasureId);
    const { runId } = await unserved.client.workflow.getHandle(`erasure:${erasureId}`).describe();
    await retention.beginErasure(unserved.client, erasureId);
    const handle = unserved.client.workflow.getHandle(`erasure:${erasureId}`);
    expect(await handle.describe()).toMatchObject({ runId, status: { name: 'RUNNING' } });
  });

  test('a code for signing in', async () => {
    const codeId = randomUUID();
    const handle = unserved.client.workflow.getHandle(`sign-in-code:${codeId}`);
    await expect(handle.describe()).rejects.toThrow(WorkflowNotFoundError);
    await organization.mailSignInCode(unserved.client, { codeId, email: '', code: '' });
    expect((await handle.describe()).status.name).toBe('RUNNING');
  });
});

describe('where a queue has a backlog', () => {
  const approveOf = (access: object) => (withinMs: number) =>
    orchestrator.approve(
      { sql: unserved.sql, temporal: unserved.client },
      {
        taskId: `test-${randomUUID()}`,
        medication: 'semaglutide',
        emrPatientId: 'p',
        access: access as never,
      },
      withinMs,
    );
  test.each<[string, (withinMs: number) => Begun, object]>([
    [
      'an approval goes first, in turn with those of other keys',
      approveOf({ actor: 'clinic-a', actorKind: 'key' }),
      { priorityKey: 2, fairnessKey: 'clinic-a' },
    ],
    [
      'an approval by a person goes first, and says nothing of the person',
      approveOf({ actor: randomUUID(), actorKind: 'admin' }),
      { priorityKey: 2 },
    ],
    [
      'a submission takes its turn with those of other keys',
      (withinMs) => starts['submit']!().begin(withinMs),
      { fairnessKey: 'clinic' },
    ],
    [
      'a refill goes after approvals',
      (withinMs) => starts['sendRefillAgain']!().begin(withinMs),
      { priorityKey: 4 },
    ],
    [
      'a check hands that on to its refills',
      (withinMs) => starts['checkRefills']!().begin(withinMs),
      { priorityKey: 4 },
    ],
    ['a recovery goes last', (withinMs) => starts['recoverRuns']!().begin(withinMs), { priorityKey: 5 }],
  ])('%s', async (_what, begin, expected) => {
    const already = unserved.count();
    const begun = begin(0);
    const id = await unserved.begun(already);
    await begun;
    const { priority } = await unserved.client.workflow.getHandle(id).describe();
    expect(Object.fromEntries(Object.entries(priority ?? {}).filter(([, value]) => Boolean(value)))).toEqual(
      expected,
    );
  });
});
