import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { IntakeActivities, RetryState } from '../../activities/intake/submissions.js';
import { failureTypes } from '../../domain/failures.js';
import {
  type EmrAttempt,
  judgeFailedRetry,
  maxRetries,
  type SubmissionStatus,
} from '../../domain/intake/intake.js';
import type { RunOutcome } from '../../domain/search-attributes.js';
import { workThroughQueue } from '../events/ordered-queue.js';
import { storedUpdate } from '../messages.js';
import { ordinary, ownRecords } from '../proxies.js';
import { rxOutcome } from '../search-attributes.js';

// /submit waits for at most 5 s, even in our own outages, so this timeout counts from the scheduling (D63).
const firstAttempt = proxyActivities<IntakeActivities>({
  startToCloseTimeout: '5500 ms',
  scheduleToCloseTimeout: '6 s',
  retry: { initialInterval: '100 ms', maximumAttempts: 3 },
  summary: '1/2 Find or create the EMR patient',
});
// Longer than the 11.5 s of findOrCreateEmrPatient. A fault of our own uses up none of the attempts.
const attempts = ordinary<IntakeActivities>({
  startToCloseTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
});
const records = ownRecords<IntakeActivities>();

export interface IntakeRun {
  submissionId: string;
  /** A restart for a stored submission, by an operator's reset or the sweep. */
  isStored?: true;
}

/**
 * Takes one intake (page 2, POST /submit, steps 5 to 7). It makes one attempt at the EMR, stores the submission, and
 * makes up to three more attempts a minute apart. The retry entry is the queue, so a reset or a sweep only sends a
 * signal.
 * @throws Rejected if the submission could not be stored, Unavailable after the last attempt
 */
export async function submitIntake(run: IntakeRun): Promise<void> {
  const { submissionId } = run;
  const storing = run.isStored ? Promise.resolve('pending_emr' as const) : store(submissionId);
  setHandler(storedUpdate, () =>
    storing.then(
      () => true,
      () => false,
    ),
  );
  try {
    if ((await storing) === 'pending_emr') await retry(submissionId);
  } finally {
    await CancellationScope.nonCancellable(() => condition(allHandlersFinished));
  }
  upsertSearchAttributes([{ key: rxOutcome, value: 'OK' satisfies RunOutcome }]);
  setCurrentDetails('**Submitted.** The EMR has the patient.');
}

/** Not cancellable: the EMR may have the patient already, and a caller waits. */
const store = (submissionId: string): Promise<SubmissionStatus> =>
  CancellationScope.nonCancellable(async () => {
    setCurrentDetails('Waiting for the **EMR**, for at most 5 s.');
    const patient = await firstAttempt
      .ensureEmrPatient({ submissionId })
      .catch((): EmrAttempt => ({ error: 'No attempt could be made' }));
    await records('2/2 Store the submission').saveSubmission({ submissionId, patient });
    return 'emrPatientId' in patient ? 'submitted' : 'pending_emr';
  });

/** @throws after the last attempt */
async function retry(submissionId: string): Promise<void> {
  let failure: ApplicationFailure | undefined;
  try {
    await workThroughQueue<RetryState>(
      {
        step: 'ensureEmrPatient',
        next: async () => {
          const state = await records('Read the retry entry').findEmrRetry({ submissionId });
          failure = state?.status === 'failed' ? failureOf(state) : undefined;
          return state?.status === 'pending' ? state : null;
        },
        deliver: (state) => attempt(submissionId, state.attempts + 1),
        waiting: showWaiting,
      },
      { submissionId, isStored: true } satisfies IntakeRun,
    );
  } catch (error) {
    if (isCancellation(error)) await closeCancelled(submissionId);
    throw error;
  }
  if (failure) throw failure;
}

async function attempt(submissionId: string, n: number): Promise<void> {
  setCurrentDetails(`Asking the **EMR** for the patient, attempt ${n} of ${maxRetries}.`);
  const summary = `Find or create the EMR patient, attempt ${n} of ${maxRetries}`;
  const result = await attempts(summary).ensureEmrPatient({ submissionId });
  if ('emrPatientId' in result)
    await records('Record the EMR patient').recordEmrPatient({ submissionId, ...result });
  else
    await records(`Record attempt ${n}: ${result.error}`).recordFailedEmrRetry({
      submissionId,
      attempts: n,
      error: result.error,
      verdict: judgeFailedRetry(n, Date.now()),
    });
}

function showWaiting({ attempts, lastError, dueAt }: RetryState): void {
  const next = dueAt === null ? 'now' : new Date(dueAt).toISOString();
  setCurrentDetails(
    [
      `**The EMR is down; attempt ${attempts + 1} of ${maxRetries} at ${next}.** ${lastError ?? ''}`,
      'The intake is stored as `pending_emr`.',
      'There is nothing to do. After the last attempt, `rx intake-retries reset` starts again.',
    ].join('\n\n'),
  );
}

function failureOf({ retryId, attempts, lastError }: RetryState): ApplicationFailure {
  upsertSearchAttributes([{ key: rxOutcome, value: 'FAILED' satisfies RunOutcome }]);
  setCurrentDetails(
    [
      `**FAILED: no EMR patient after ${attempts} attempts.** ${lastError ?? ''}`,
      'The intake is stored as `pending_emr`, without further attempts.',
      `Once the cause is fixed, \`rx intake-retries reset ${retryId}\` starts again under this id.`,
    ].join('\n\n'),
  );
  return ApplicationFailure.create({
    type: failureTypes.unavailable,
    message: `The EMR has made no patient in ${attempts} attempts: ${lastError ?? 'no reason'}`,
    nonRetryable: true,
  });
}

/** The sweep does not restart a cancelled run, a reset does. */
const closeCancelled = (submissionId: string): Promise<void> =>
  CancellationScope.nonCancellable(async () => {
    await records('Close the retry entry').cancelEmrRetry({ submissionId });
    setCurrentDetails('**Cancelled by an operator.** `rx intake-retries reset` starts again.');
  });
