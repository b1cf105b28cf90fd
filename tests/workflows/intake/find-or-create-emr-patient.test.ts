import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError, WithStartWorkflowOperation } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { IntakePatientActivities } from '../../../activities/intake/emr-patients.js';
import { failureTypes } from '../../../domain/failures.js';
import type { EmrAttempt } from '../../../domain/intake/intake.js';
import type {
  findOrCreateEmrPatient,
  IntakeReference,
} from '../../../workflows/intake/find-or-create-emr-patient.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

/** An EMR that knows no conditional create: whoever creates has made another patient. */
function emrOf(patients: string[] = []) {
  const calls: string[] = [];
  let creating = 0;
  let mostAtOnce = 0;
  const activities: IntakePatientActivities = {
    findPatientByEmail: async () => {
      calls.push('search');
      await pause(5);
      return [...patients].sort()[0] ?? null;
    },
    createIntakePatient: async ({ submissionId }) => {
      calls.push('create');
      mostAtOnce = Math.max(mostAtOnce, (creating += 1));
      await pause(20);
      creating -= 1;
      patients.push(`patient-${submissionId}`);
      return `patient-${submissionId}`;
    },
  };
  return { activities, patients, calls, mostAtOnce: () => mostAtOnce };
}

/** Asks for the patient of one address under each of these submissions, at once. */
async function ask(
  activities: IntakePatientActivities,
  submissions: readonly string[],
  { waitMs = 0, isOneRun = true }: { waitMs?: number; isOneRun?: boolean } = {},
) {
  const taskQueue = `intake-emr-${randomUUID()}`;
  const address = randomUUID();
  const idOf = (submissionId: string) => `emr-patient:${address}${isOneRun ? '' : submissionId}`;
  const once = async (submissionId: string): Promise<EmrAttempt> => {
    const startWorkflowOperation = new WithStartWorkflowOperation<typeof findOrCreateEmrPatient>(
      'findOrCreateEmrPatient',
      { workflowId: idOf(submissionId), taskQueue, workflowIdConflictPolicy: 'USE_EXISTING', args: [] },
    );
    return time.env.client.workflow
      .executeUpdateWithStart<typeof findOrCreateEmrPatient, EmrAttempt, [IntakeReference]>('findOrCreate', {
        args: [{ submissionId }],
        updateId: submissionId,
        startWorkflowOperation,
      })
      .catch((error: unknown) => {
        // The server gives up on a workflow task that a busy machine is late with; the same update is found again.
        if (error instanceof ServiceError) return once(submissionId);
        throw error;
      });
  };
  return time.withWorker(taskQueue, activities, async () => {
    const answers = await Promise.all(
      submissions.map((submissionId, index) => pause(index * waitMs).then(() => once(submissionId))),
    );
    for (const id of new Set(submissions.map(idOf))) await time.env.client.workflow.getHandle(id).result();
    return answers;
  });
}

describe('the EMR patient of an address', () => {
  it('is the one that is there, and nothing is created', async () => {
    const { activities, calls } = emrOf(['patient-b', 'patient-a']);
    expect(await ask(activities, ['1'])).toEqual([{ emrPatientId: 'patient-a' }]);
    expect(calls).toEqual(['search']);
  });

  it('is created where there is none, and looked for again', async () => {
    const { activities, calls } = emrOf();
    expect(await ask(activities, ['1'])).toEqual([{ emrPatientId: 'patient-1' }]);
    expect(calls).toEqual(['search', 'create', 'search']);
  });

  it('is the one found first when another system has been as quick', async () => {
    const { activities, patients } = emrOf();
    const table = { ...activities };
    activities.createIntakePatient = (input) => {
      patients.push('patient-0');
      return table.createIntakePatient(input);
    };
    expect(await ask(activities, ['1'])).toEqual([{ emrPatientId: 'patient-0' }]);
  });

  it('is created once for many who ask at once, on a server whose creates race', async () => {
    const { activities, patients, mostAtOnce } = emrOf();
    const submissions = Array.from({ length: 10 }, (_each, index) => String(index));
    const answers = await ask(activities, submissions);
    expect(patients).toHaveLength(1);
    expect(mostAtOnce()).toBe(1);
    expect(answers).toEqual(submissions.map(() => ({ emrPatientId: patients[0] })));
  });

  it('really is at risk there: asked for in runs of their own, several are created', async () => {
    const { activities, patients, calls } = emrOf();
    const table = { ...activities };
    activities.findPatientByEmail = async (input) => {
      const found = await table.findPatientByEmail(input);
      // Nobody creates before another has looked.
      while (calls.filter((call) => call === 'search').length < 2) await pause(5);
      return found;
    };
    const submissions = Array.from({ length: 10 }, (_each, index) => String(index));
    await ask(activities, submissions, { isOneRun: false });
    expect(patients.length).toBeGreaterThan(1);
  });

  it('is created once for many who ask one after the other, also in the moment in which a run ends', async () => {
    const { activities, patients } = emrOf();
    const submissions = Array.from({ length: 40 }, (_each, index) => String(index));
    const answers = await ask(activities, submissions, { waitMs: 7 });
    expect(patients).toHaveLength(1);
    expect(answers).toEqual(submissions.map(() => ({ emrPatientId: patients[0] })));
  });

  it('is found when the answer to its creation is lost', async () => {
    const { activities, calls } = emrOf();
    const table = { ...activities };
    activities.createIntakePatient = async (input) => {
      await table.createIntakePatient(input);
      throw ApplicationFailure.create({
        type: failureTypes.unavailable,
        message: 'EMR could not be reached',
      });
    };
    expect(await ask(activities, ['1'])).toEqual([{ emrPatientId: 'patient-1' }]);
    expect(calls).toEqual(['search', 'create', 'search']);
  });

  it('is the created one when only the second look fails', async () => {
    const { activities, calls } = emrOf();
    const table = { ...activities };
    activities.findPatientByEmail = async (input) => {
      if (calls.includes('create'))
        throw ApplicationFailure.create({ type: failureTypes.unavailable, message: 'EMR answered 503' });
      return table.findPatientByEmail(input);
    };
    expect(await ask(activities, ['1'])).toEqual([{ emrPatientId: 'patient-1' }]);
  });
});

describe('an EMR that is away', () => {
  const unavailable = async (): Promise<never> => {
    throw ApplicationFailure.create({ type: failureTypes.unavailable, message: 'EMR answered 503' });
  };

  it('is asked once, and all who wait are told', async () => {
    let searches = 0;
    const { activities } = emrOf();
    activities.findPatientByEmail = async () => {
      searches += 1;
      await pause(100);
      return unavailable();
    };
    const answers = await ask(activities, ['1', '2', '3']);
    expect(answers).toEqual(answers.map(() => ({ error: 'EMR answered 503' })));
    expect(searches).toBeLessThanOrEqual(2);
  });

  it('or that refuses one intake, does not refuse the next for it', async () => {
    const { activities } = emrOf();
    const table = { ...activities };
    activities.createIntakePatient = async (input) => {
      if (input.submissionId === 'bad') {
        await pause(100);
        throw ApplicationFailure.nonRetryable('EMR answered 422', failureTypes.rejected);
      }
      return table.createIntakePatient(input);
    };
    const [bad, good] = await ask(activities, ['bad', 'good'], { waitMs: 30 });
    expect([bad, good]).toEqual([
      { error: 'EMR answered 422', isRefused: true },
      { emrPatientId: 'patient-good' },
    ]);
  });
});
