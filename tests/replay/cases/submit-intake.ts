import type { IntakeActivities, RetryState } from '../../../activities/intake/submissions.js';
import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../../domain/failures.js';
import type { EmrAttempt } from '../../../domain/intake/intake.js';
import type { submitIntake as workflow } from '../../../workflows/intake/submit-intake.js';
import { failingFirst } from '../../workflows/orchestrator/pipeline-activities.js';
import { type CasesOf, ownRun } from '../cases.js';

const submissionId = '00000000-0000-4000-8000-000000000001';
const away: EmrAttempt = { error: 'EMR answered 503' };
const made: EmrAttempt = { emrPatientId: 'patient-1' };

/** An intake whose attempts end so, one after the other; retries are due at once. */
function intake(emr: EmrAttempt[], replaced: Partial<IntakeActivities> = {}) {
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
  };
}

export const submitIntake: CasesOf<typeof workflow> = {
  submitted: intake([made]),
  'submitted-later': intake([away, away, made]),
  failed: intake([away, away, away, away]),
  retried: intake([made], { saveSubmission: failingFirst(2, async () => undefined) }),
  refused: intake([made], {
    saveSubmission: async () => {
      throw ApplicationFailure.nonRetryable('Failed to save submission', failureTypes.rejected);
    },
  }),
  cancelled: intake([away, away], {
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
  }),
  resumed: {
    ...intake([made], {
      findEmrRetry: async () => null,
    }),
    args: [{ submissionId, isStored: true }],
    startedBy: { signal: 'nudge', args: [] },
  },
  running: { ...intake([made]), openAt: 'ensureEmrPatient' },
};
