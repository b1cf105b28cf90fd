import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { IntakePatientActivities } from '../../../activities/intake/emr-patients.js';
import type { EmrAttempt } from '../../../domain/intake/intake.js';
import { findOrCreateEmrPatient as cases } from '../../replay/cases/find-or-create-emr-patient.js';
import { outage, refusal } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const { testCases, time, stage, taskQueue } = useRuns('findOrCreateEmrPatient');

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
  {
    waitMs = 0,
    isOneRun = true,
    namesakeOf = () => 'one person',
  }: { waitMs?: number; isOneRun?: boolean; namesakeOf?: (submissionId: string) => string } = {},
) {
  stage.put({ activities });
  const address = randomUUID();
  const idOf = (submissionId: string) => `emr-patient:${address}${isOneRun ? '' : submissionId}`;
  const once = async (submissionId: string): Promise<EmrAttempt> => {
    return time()
      .updateWithStart<EmrAttempt>({
        workflowType: 'findOrCreateEmrPatient',
        workflowId: idOf(submissionId),
        taskQueue,
        args: [],
        update: 'findOrCreate',
        updateId: submissionId,
        updateArgs: [{ submissionId, namesakeKey: namesakeOf(submissionId) }],
      })
      .catch((error: unknown) => {
        // The server gives up on a workflow task that a busy machine is late with; the same update is found again.
        if (error instanceof Error && error.name === 'ServiceError') return once(submissionId);
        throw error;
      });
  };
  const answers = await Promise.all(
    submissions.map((submissionId, index) => pause(index * waitMs).then(() => once(submissionId))),
  );
  for (const id of new Set(submissions.map(idOf))) await time().env.client.workflow.getHandle(id).result();
  return answers;
}

describe('the EMR patient of an address', () => {
  testCases(cases);

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
    const { activities, patients } = emrOf();
    const submissions = Array.from({ length: 10 }, (_each, index) => String(index));
    await ask(activities, submissions, { isOneRun: false });
    expect(patients.length).toBeGreaterThan(1);
  });

  it('is another one for a twin who asks at once (D148)', async () => {
    const { activities, patients } = emrOf();
    activities.findPatientByEmail = async ({ submissionId }) =>
      patients.find((id) => id === `patient-${submissionId}`) ?? null;
    const answers = await ask(activities, ['1', '2'], { namesakeOf: (submissionId) => submissionId });
    expect(answers).toEqual([{ emrPatientId: 'patient-1' }, { emrPatientId: 'patient-2' }]);
  });

  it('is created once for many who ask one after the other, also in the moment in which a run ends', async () => {
    const { activities, patients } = emrOf();
    const submissions = Array.from({ length: 40 }, (_each, index) => String(index));
    const answers = await ask(activities, submissions, { waitMs: 7 });
    expect(patients).toHaveLength(1);
    expect(answers).toEqual(submissions.map(() => ({ emrPatientId: patients[0] })));
  });

  it('is the created one when only the second look fails', async () => {
    const { activities, calls } = emrOf();
    const table = { ...activities };
    activities.findPatientByEmail = async (input) => {
      if (calls.includes('create')) return outage();
      return table.findPatientByEmail(input);
    };
    expect(await ask(activities, ['1'])).toEqual([{ emrPatientId: 'patient-1' }]);
  });
});

describe('an EMR that is away', () => {
  it('is asked once, and all who wait are told', async () => {
    let searches = 0;
    const { activities } = emrOf();
    activities.findPatientByEmail = async () => {
      searches += 1;
      await pause(100);
      return outage();
    };
    const answers = await ask(activities, ['1', '2', '3']);
    expect(answers).toEqual(answers.map(() => ({ error: 'The other side answered 503' })));
    expect(searches).toBeLessThanOrEqual(2);
  });

  it('or that refuses one intake, does not refuse the next for it', async () => {
    const { activities } = emrOf();
    const table = { ...activities };
    activities.createIntakePatient = async (input) => {
      if (input.submissionId === 'bad') {
        await pause(100);
        return refusal('EMR answered 422')();
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
