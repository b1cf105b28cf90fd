import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WithStartWorkflowOperation, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { IntakeActivities, RetryState } from '../../../activities/intake/submissions.js';
import { failureTypes } from '../../../domain/failures.js';
import type { EmrAttempt } from '../../../domain/intake/intake.js';
import type { IntakeRun, submitIntake } from '../../../workflows/intake/submit-intake.js';
import { startTimeSkipping, type TimeSkipping } from '../../helpers/time-skipping.js';

let time: TimeSkipping;
beforeAll(async () => (time = await startTimeSkipping()));
afterAll(() => time.stop());

const away: EmrAttempt = { error: 'EMR answered 503' };
const made: EmrAttempt = { emrPatientId: 'patient-1' };
type Handle = WorkflowHandle<typeof submitIntake>;

/** The tables as the activities see them, with an EMR that answers by attempt: 0 inside /submit, then 1, 2, 3. */
function tablesOf(emr: (attempt: number) => EmrAttempt | Promise<EmrAttempt>) {
  const seen = { attempts: [] as number[], saved: [] as EmrAttempt[], patient: null as string | null };
  let retry: RetryState | null = null;
  let attempt = 0;
  const activities: IntakeActivities = {
    ensureEmrPatient: async () => {
      seen.attempts.push(await time.env.currentTimeMs());
      return emr(attempt++);
    },
    saveSubmission: async ({ patient }) => {
      seen.saved.push(patient);
      if ('emrPatientId' in patient) seen.patient = patient.emrPatientId;
      else retry = { ...pendingRetry(await time.env.currentTimeMs()), lastError: patient.error };
    },
    findEmrRetry: async () => retry && { ...retry },
    recordEmrPatient: async ({ emrPatientId }) => {
      seen.patient = emrPatientId;
      if (retry) retry = { ...retry, status: 'completed', dueAt: null };
    },
    recordFailedEmrRetry: async ({ attempts, error, verdict }) => {
      const dueAt = verdict.status === 'pending' ? verdict.nextRetryAt : null;
      retry = { retryId: 'retry-1', status: verdict.status, attempts, lastError: error, dueAt };
    },
    cancelEmrRetry: async () => {
      if (retry) retry = { ...retry, status: 'failed', dueAt: null };
    },
  };
  return {
    activities,
    seen,
    retry: () => retry,
    reset: () => void (retry = { ...pendingRetry(0), dueAt: 0 }),
  };
}

const pendingRetry = (now: number): RetryState => ({
  retryId: 'retry-1',
  status: 'pending',
  attempts: 0,
  lastError: null,
  dueAt: now + 60_000,
});

/** Submits as the API does and lets the run come to its end. */
async function run(
  { activities }: { activities: IntakeActivities },
  options: { run?: IntakeRun; answered?: (handle: Handle) => Promise<void>; skipBeforeAnswer?: true } = {},
) {
  const submissionId = randomUUID();
  const taskQueue = `intake-${submissionId}`;
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof submitIntake>('submitIntake', {
    workflowId: `intake:${submissionId}`,
    taskQueue,
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [options.run ?? { submissionId }],
  });
  return time.withWorker(taskQueue, activities, async () => {
    const { workflow } = time.env.client;
    const answering = workflow.executeUpdateWithStart<typeof submitIntake, boolean, []>('stored', {
      startWorkflowOperation,
    });
    const handle = await startWorkflowOperation.workflowHandle();
    // Only somebody who waits for a run's end lets the time be skipped.
    if (!options.skipBeforeAnswer) await answering;
    await options.answered?.(handle);
    const end: unknown = await handle.result().then(
      () => 'completed',
      (error: unknown) => (error instanceof WorkflowFailedError ? error.cause : error),
    );
    const answer = await answering;
    const details = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return { answer, end, details: details.currentDetails };
  });
}

describe('an intake', () => {
  it('is stored with the patient of the one attempt, and its run ends', async () => {
    const tables = tablesOf(() => made);
    const { answer, end } = await run(tables);
    expect([answer, end]).toEqual([true, 'completed']);
    expect(tables.seen).toMatchObject({ saved: [made], patient: 'patient-1' });
    expect(tables.seen.attempts).toHaveLength(1);
  });

  it('is answered as stored after one attempt without a patient, while the retries are still to come', async () => {
    const tables = tablesOf((attempt) => (attempt === 0 ? away : made));
    let whenAnswered = 0;
    const { answer, end } = await run(tables, {
      answered: async () => void (whenAnswered = tables.seen.attempts.length),
    });
    expect([answer, whenAnswered, end]).toEqual([true, 1, 'completed']);
    expect(tables.seen).toMatchObject({ saved: [away], patient: 'patient-1' });
    expect(tables.retry()).toMatchObject({ status: 'completed' });
  });

  it('is tried three times more, 60 s apart, then parked as failed, and its run is red', async () => {
    const tables = tablesOf(() => away);
    const { answer, end, details } = await run(tables);
    expect(answer).toBe(true);
    const [first = 0, ...later] = tables.seen.attempts;
    // A minute each, and what a slow machine takes to get there, which is never another minute.
    const minutes = later.map((at, index) => Math.floor((at - (later[index - 1] ?? first)) / 60_000));
    expect(minutes).toEqual([1, 1, 1]);
    expect(tables.retry()).toMatchObject({ status: 'failed', attempts: 3, lastError: 'EMR answered 503' });
    expect(end).toMatchObject({
      type: failureTypes.unavailable,
      message: 'The EMR has made no patient in 3 attempts: EMR answered 503',
    });
    expect(details).toContain('**FAILED: the EMR has made no patient in 3 attempts.** EMR answered 503');
    expect(details).toContain('rx intake-retries reset retry-1');
  });

  it('is stored without a patient when no attempt comes to an end', async () => {
    const tables = tablesOf((attempt) => {
      if (attempt < 3) throw new Error('Temporal is away');
      return made;
    });
    const { answer, end } = await run(tables);
    expect([answer, end]).toEqual([true, 'completed']);
    expect(tables.seen.saved).toEqual([{ error: 'No attempt could be made' }]);
  });

  it('uses up no attempt for faults of our own', async () => {
    const tables = tablesOf((attempt) => {
      if (attempt === 0) return away;
      if (attempt < 8) throw new Error('Temporal is away');
      return made;
    });
    const { end } = await run(tables);
    expect(end).toBe('completed');
    expect(tables.retry()).toMatchObject({ status: 'completed', attempts: 0 });
  });

  it('that the database refuses is answered so, and its run is red', async () => {
    const tables = tablesOf(() => made);
    tables.activities.saveSubmission = async () => {
      throw ApplicationFailure.nonRetryable('Failed to save submission', failureTypes.rejected);
    };
    const { answer, end } = await run(tables);
    const refused = { type: failureTypes.rejected, message: 'Failed to save submission' };
    expect(answer).toBe(false);
    expect(end).toMatchObject(refused);
  });

  it('outlives a database that is away for long', async () => {
    const tables = tablesOf(() => made);
    const table = { ...tables.activities };
    let faults = 20;
    tables.activities.saveSubmission = async (input) => {
      if (faults-- > 0) throw new Error('connect ECONNREFUSED');
      await table.saveSubmission(input);
    };
    const { answer, end } = await run(tables, { skipBeforeAnswer: true });
    expect([answer, end]).toEqual([true, 'completed']);
  });
});

describe('a stored intake', () => {
  const run_: IntakeRun = { submissionId: randomUUID(), isStored: true };

  it('that is reset is tried at once, in a new run that stores nothing anew', async () => {
    const tables = tablesOf(() => made);
    tables.reset();
    const { answer, end } = await run(tables, { run: run_ });
    expect([answer, end]).toEqual([true, 'completed']);
    expect(tables.seen).toMatchObject({ saved: [], patient: 'patient-1' });
    expect(tables.seen.attempts).toHaveLength(1);
  });

  it('has three attempts again after a reset', async () => {
    const tables = tablesOf(() => away);
    tables.reset();
    await run(tables, { run: run_ });
    expect(tables.seen.attempts).toHaveLength(3);
    expect(tables.retry()).toMatchObject({ status: 'failed', attempts: 3 });
  });

  it('that needs nothing any more ends at once', async () => {
    const tables = tablesOf(() => made);
    const { end } = await run(tables, { run: run_ });
    expect(end).toBe('completed');
    expect(tables.seen.attempts).toEqual([]);
  });

  it('goes on in the same run when it is reset in the moment in which it fails', async () => {
    const tables = tablesOf((attempt) => (attempt < 3 ? away : made));
    tables.reset();
    const table = { ...tables.activities };
    let handle: Handle | undefined;
    tables.activities.recordFailedEmrRetry = async (failed) => {
      await table.recordFailedEmrRetry(failed);
      if (failed.verdict.status !== 'failed') return;
      tables.reset();
      await handle?.signal('nudge');
    };
    const { end } = await run(tables, {
      run: run_,
      answered: async (answered) => void (handle = answered),
    });
    expect(end).toBe('completed');
    expect(tables.seen.patient).toBe('patient-1');
  });

  it('that is cancelled while it waits is parked as failed', async () => {
    const tables = tablesOf(() => away);
    let isCancelled = false;
    const table = { ...tables.activities };
    let handle: Handle | undefined;
    tables.activities.recordFailedEmrRetry = async (failed) => {
      await table.recordFailedEmrRetry(failed);
      if (isCancelled) return;
      isCancelled = true;
      await handle?.cancel();
    };
    const { details } = await run(tables, { answered: async (answered) => void (handle = answered) });
    expect(tables.retry()).toMatchObject({ status: 'failed' });
    expect(details).toContain('Cancelled by an operator');
  });
});
