import type { IntakeActivities, RetryState } from '../../../activities/intake/submissions.js';
import { failureTypes } from '../../../domain/failures.js';
import type { EmrAttempt } from '../../../domain/intake/intake.js';
import type { submitIntake as workflow } from '../../../workflows/intake/submit-intake.js';
import { failingFirst, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import { type CasesOf, type Expected, ownRun } from '../cases.js';

const submissionId = '00000000-0000-4000-8000-000000000001';
const away: EmrAttempt = { error: 'EMR answered 503' };
const made: EmrAttempt = { emrPatientId: 'patient-1' };

/** An intake whose attempts end so, one after the other; retries are due at once. */
export function intake(expect: Expected, emr: EmrAttempt[], replaced: Partial<IntakeActivities> = {}) {
  let attempt = 0;
  let retry: RetryState | null = null;
  const pending = { retryId: 'retry-1', status: 'pending' as const, attempts: 0, dueAt: 0 };
  const activities: IntakeActivities = {
    ensureEmrPatient: async () => emr[attempt++] ?? away,
    saveSubmission: async ({ patient }) => {
      if ('error' in patient) retry = { ...pending, lastError: patient.error };
    },
    findEmrRetry: async () => retry,
    recordEmrPatient: async () => {
      if (retry) retry = { ...retry, status: 'completed', dueAt: null };
    },
    recordFailedEmrRetry: async ({ attempts, error, verdict: { status } }) => {
      retry = { ...pending, status, attempts, lastError: error };
    },
    cancelEmrRetry: async () => undefined,
    ...replaced,
  };
  return {
    args: [{ submissionId }] as Parameters<typeof workflow>,
    activities,
    startedBy: { update: 'stored', args: [] },
    expect,
  };
}

/** A run for an intake that is stored: it stores nothing anew. */
export const resumed = (...of: Parameters<typeof intake>) => ({
  ...intake(...of),
  args: [{ submissionId, isStored: true }] as Parameters<typeof workflow>,
  startedBy: { signal: 'recheck', args: [] },
});

const failure = {
  type: failureTypes.unavailable,
  message: 'The EMR has made no patient in 3 attempts: EMR answered 503',
};
const saved = (patient: EmrAttempt) => ({ saveSubmission: [{ patient }] });

export const submitIntake: CasesOf<typeof workflow> = {
  submitted: intake(
    {
      behavior: 'it is stored with the patient of the one attempt',
      answer: true,
      calls: ['ensureEmrPatient', 'saveSubmission'],
      inputs: saved(made),
    },
    [made],
  ),
  'submitted-later': intake(
    {
      behavior: 'it is stored without a patient, which a later attempt makes',
      answer: true,
      times: { ensureEmrPatient: 3 },
      inputs: { ...saved(away), recordEmrPatient: [made] },
    },
    [away, away, made],
  ),
  failed: intake(
    {
      behavior: 'it is tried three times more, then parked as failed, and its run is red',
      answer: true,
      failure,
      times: { ensureEmrPatient: 4 },
      inputs: {
        recordFailedEmrRetry: [
          { attempts: 1, verdict: { status: 'pending' } },
          { attempts: 2, verdict: { status: 'pending' } },
          { attempts: 3, verdict: { status: 'failed' }, error: 'EMR answered 503' },
        ],
      },
      details: [
        '**FAILED: no EMR patient after 3 attempts.** EMR answered 503',
        'rx intake-retries reset retry-1',
      ],
    },
    [away, away, away, away],
  ),
  retried: intake(
    { behavior: 'a database that is away is waited out', answer: true, times: { saveSubmission: 3 } },
    [made],
    { saveSubmission: failingFirst(2, async () => undefined) },
  ),
  refused: intake(
    {
      behavior: 'one that the database refuses is answered so, and its run is red',
      answer: false,
      failure: { type: failureTypes.rejected, message: 'Failed to save submission' },
    },
    [made],
    { saveSubmission: refusal('Failed to save submission') },
  ),
  cancelled: intake(
    {
      behavior: 'cancelled while it waits it is parked as failed',
      failure: { name: 'CancelledFailure' },
      details: ['Cancelled by an operator'],
    },
    [away, away],
    {
      findEmrRetry: async () => {
        await ownRun().cancel();
        return {
          retryId: 'retry-1',
          status: 'pending',
          attempts: 0,
          lastError: null,
          dueAt: Date.now() + 60_000,
        };
      },
    },
  ),
  resumed: resumed(
    { behavior: 'a stored one that needs nothing any more ends at once', calls: ['findEmrRetry'] },
    [made],
    {
      findEmrRetry: async () => null,
    },
  ),
  running: { ...intake({ behavior: 'it is submitted' }, [made]), openAt: 'ensureEmrPatient' },
};
