import { intakeWorkflowId } from '../workflows/ids.js';
import { taskQueues } from '../workflows/queues.js';
import { rxSubmission } from '../workflows/search-attributes.js';
import type { IntakeRun } from '../workflows/intake/submit-intake.js';

/** How a run of an intake is shown. */
export const intakeRunOptions = (run: IntakeRun) => ({
  workflowId: intakeWorkflowId(run.submissionId),
  taskQueue: taskQueues.intake,
  args: [run] as [IntakeRun],
  typedSearchAttributes: [{ key: rxSubmission, value: run.submissionId }],
  staticSummary: 'Intake',
  staticDetails: `**Submission** ${run.submissionId}`,
});

/** Tells the run of a stored intake to look at its retry entry, and starts it where there is none. */
export const resumeIntake = (submissionId: string) => ({
  ...intakeRunOptions({ submissionId, isStored: true }),
  signal: 'nudge',
  signalArgs: [] as [],
});
