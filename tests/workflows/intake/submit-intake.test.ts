import { describe, expect, it } from '@jest/globals';
import type { IntakeActivities, RetryState } from '../../../activities/intake/submissions.js';
import type { EmrAttempt } from '../../../domain/intake/intake.js';
import { ownRun } from '../../replay/cases.js';
import { intake, resumed, submitIntake } from '../../replay/cases/submit-intake.js';
import { failingFirst, ownFault } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const { run, testCases, time } = useRuns('submitIntake');

const away: EmrAttempt = { error: 'EMR answered 503' };
const made: EmrAttempt = { emrPatientId: 'patient-1' };
const dueNow: RetryState = { retryId: 'retry-1', status: 'pending', attempts: 0, lastError: null, dueAt: 0 };

/** The table of a retry, which is due at `dueAt`, and then when the verdicts say. */
function retryTable(begin: RetryState | null) {
  let retry = begin;
  const activities: Partial<IntakeActivities> = {
    saveSubmission: async () =>
      void (retry = { ...dueNow, dueAt: (await time().env.currentTimeMs()) + 60_000 }),
    findEmrRetry: async () => retry && { ...retry },
    recordEmrPatient: async () => void (retry = retry && { ...retry, status: 'completed', dueAt: null }),
    recordFailedEmrRetry: async ({ attempts, error, verdict }) => {
      const dueAt = verdict.status === 'pending' ? verdict.nextRetryAt : null;
      retry = { retryId: 'retry-1', status: verdict.status, attempts, lastError: error, dueAt };
    },
  };
  return { activities, retry: () => retry, reset: () => void (retry = { ...dueNow }) };
}

describe('an intake', () => {
  testCases(submitIntake);
  testCases({
    'no attempt': intake(
      {
        behavior: 'it is stored without a patient when no attempt comes to an end',
        answer: true,
        inputs: { saveSubmission: [{ patient: { error: 'No attempt could be made' } }] },
      },
      [],
      { ensureEmrPatient: failingFirst(3, async () => made, ownFault) },
    ),
    'database away for long': intake(
      { behavior: 'it is waited for', answer: true, times: { saveSubmission: 21 } },
      [made],
      { saveSubmission: failingFirst(20, async () => undefined, ownFault) },
    ),
  });

  it('is answered as stored after one attempt without a patient, while the retries are still to come', async () => {
    let attempts = 0;
    const ensureEmrPatient = async () => (attempts++ === 0 ? away : made);
    const { activities } = retryTable(null);
    await run(intake({}, [], { ...activities, ensureEmrPatient }), async (_handle, answer) => {
      expect([await answer(), attempts]).toEqual([true, 1]);
    });
    expect(attempts).toBe(2);
  });

  it('is tried three times more, 60 s apart', async () => {
    const at: number[] = [];
    const ensureEmrPatient = async () => {
      at.push(await time().env.currentTimeMs());
      return away;
    };
    await run(intake({}, [], { ...retryTable(null).activities, ensureEmrPatient }));
    const [first = 0, ...later] = at;
    // A minute each, and what a slow machine takes to get there, which is never another minute.
    expect(later.map((ms, index) => Math.floor((ms - (later[index - 1] ?? first)) / 60_000))).toEqual([
      1, 1, 1,
    ]);
  });

  it('uses up no attempt for faults of our own', async () => {
    const { activities, retry } = retryTable(null);
    let attempts = 0;
    const ensureEmrPatient = async () => {
      if (++attempts === 1) return away;
      return attempts < 9 ? ownFault() : made;
    };
    await run(intake({}, [], { ...activities, ensureEmrPatient }));
    expect(retry()).toMatchObject({ status: 'completed', attempts: 0 });
  });
});

describe('a stored intake', () => {
  it('that is reset is tried at once, and stores nothing anew', async () => {
    const { activities, retry } = retryTable(dueNow);
    const { times } = await run(resumed({}, [made], activities));
    expect([times('ensureEmrPatient'), times('saveSubmission')]).toEqual([1, 0]);
    expect(retry()).toMatchObject({ status: 'completed' });
  });

  it('has three attempts again after a reset', async () => {
    const { activities, retry } = retryTable(dueNow);
    const { times } = await run(resumed({}, [], activities));
    expect(times('ensureEmrPatient')).toBe(3);
    expect(retry()).toMatchObject({ status: 'failed', attempts: 3 });
  });

  it('goes on in the same run when it is reset in the moment in which it fails', async () => {
    const { activities, reset, retry } = retryTable(dueNow);
    const recordFailedEmrRetry: IntakeActivities['recordFailedEmrRetry'] = async (failed) => {
      await activities.recordFailedEmrRetry!(failed);
      if (failed.verdict.status !== 'failed') return;
      reset();
      await ownRun().signal('recheck');
    };
    const { failure } = await run(
      resumed({}, [away, away, away, made], { ...activities, recordFailedEmrRetry }),
    );
    expect(failure).toBeUndefined();
    expect(retry()).toMatchObject({ status: 'completed' });
  });
});
