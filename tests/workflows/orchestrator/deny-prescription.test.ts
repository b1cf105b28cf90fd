import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApplicationFailure, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { DenialActivities } from '../../../activities/orchestrator/denials.js';
import type { NotificationActivities, Notice } from '../../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../../activities/orchestrator/patients.js';
import type { Denial, denyPrescription } from '../../../workflows/orchestrator/deny-prescription.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';
import { failingFirst, outage, refusal } from './pipeline-activities.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

type Activities = DenialActivities & Pick<PatientActivities, 'fetchContact'> & NotificationActivities;
type Handle = WorkflowHandle<typeof denyPrescription>;

const contact = { name: 'Ada Test', email: 'ada@example.test', phone: '2125550100' };
const full: Denial = { taskId: 'task', reason: 'Not suitable', emrPatientId: 'p1' };

/** Runs a denial against these activities to its end. */
async function deny(
  denial: Denial = full,
  replaced: Partial<Activities> = {},
  meanwhile: (handle: Handle) => Promise<unknown> = async () => undefined,
) {
  const calls: string[] = [];
  const notices: Notice[] = [];
  const good: Activities = {
    claimDenial: async () => true,
    finishDenial: async () => undefined,
    fetchContact: async () => contact,
    notifyPatient: async (notice) => void notices.push(notice),
  };
  const activities = Object.fromEntries(
    Object.entries({ ...good, ...replaced }).map(([name, activity]) => [
      name,
      (input: never) => {
        calls.push(name);
        return (activity as (input: never) => unknown)(input);
      },
    ]),
  );
  const taskQueue = `deny-${randomUUID()}`;
  return time.withWorker(taskQueue, activities, async () => {
    const handle = await time.env.client.workflow.start<typeof denyPrescription>('denyPrescription', {
      workflowId: `denial:${randomUUID()}`,
      taskQueue,
      args: [denial],
    });
    await meanwhile(handle);
    const ending = await handle.result().then(
      (result) => ({ result, failure: undefined }),
      (error: unknown) => {
        if (error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure)
          return { result: undefined, failure: error.cause };
        throw error;
      },
    );
    return { ...ending, calls, notices, runId: handle.firstExecutionRunId };
  });
}

describe('a denial', () => {
  it('is recorded first, then the patient is told name and reason, then approvals are let through', async () => {
    const { result, calls, notices, runId } = await deny();
    expect(result).toEqual({ repeated: false });
    expect(calls).toEqual(['claimDenial', 'fetchContact', 'notifyPatient', 'finishDenial']);
    expect(notices).toEqual([
      { type: 'prescription_denied', reference: runId, contact, variables: { reason: 'Not suitable' } },
    ]);
  });

  it('without a reason tells none', async () => {
    const { notices } = await deny({ taskId: 'task', emrPatientId: 'p1' });
    expect(notices).toMatchObject([{ variables: { reason: '' } }]);
  });

  it('without a patient is recorded, and nobody is looked up or told', async () => {
    const { result, calls } = await deny({ taskId: 'task' });
    expect([result, calls]).toEqual([{ repeated: false }, ['claimDenial', 'finishDenial']]);
  });

  it.each([
    ['the patient is not in the EMR', { fetchContact: refusal('Patient not found in EMR: p1') }],
    ['the EMR is down', { fetchContact: outage }],
    ['the notification is refused', { notifyPatient: refusal() }],
    ['the notification service is down', { notifyPatient: outage }],
  ] as [string, Partial<Activities>][])('stands all the same when %s', async (_name, replaced) => {
    const { result, calls, notices } = await deny(full, replaced);
    expect([result, notices]).toEqual([{ repeated: false }, []]);
    expect(calls.at(-1)).toBe('finishDenial');
  });

  it('of a task that was denied before says so and tells nobody again', async () => {
    const { result, calls } = await deny(full, { claimDenial: async () => false });
    expect([result, calls]).toEqual([{ repeated: true }, ['claimDenial']]);
  });

  it('of a task that an approval holds fails as a conflict and tells nobody', async () => {
    const conflict = ApplicationFailure.nonRetryable('Task already approved', 'TaskConflict');
    const { failure, calls } = await deny(full, { claimDenial: async () => Promise.reject(conflict) });
    expect(failure).toMatchObject({ type: 'TaskConflict', message: 'Task already approved' });
    expect(calls).toEqual(['claimDenial']);
  });

  it('waits for its record through an outage of the database', async () => {
    const { result, notices } = await deny(full, {
      claimDenial: failingFirst(30, async () => true),
      finishDenial: failingFirst(30, async () => undefined),
    });
    expect([result, notices.length]).toEqual([{ repeated: false }, 1]);
  });

  it('is carried through when an operator cancels it', async () => {
    let handle: Handle | undefined;
    const { result, notices } = await deny(
      full,
      {
        claimDenial: async () => {
          await handle?.cancel();
          return true;
        },
      },
      async (started) => void (handle = started),
    );
    expect([result, notices.length]).toEqual([{ repeated: false }, 1]);
  });
});
