import type { Client } from '@temporalio/client';
import { intakeWorkflowId } from '../workflows/ids.js';
import type { IntakeRun } from '../workflows/intake/submit-intake.js';
import { rxSubmission } from '../workflows/search-attributes.js';
import { nudge, type Run } from './begin.js';

const submitting = (intake: IntakeRun): Run<'submitIntake'> => ({
  workflow: 'submitIntake',
  id: intakeWorkflowId(intake.submissionId),
  queue: 'intake',
  args: [intake],
  attributes: [{ key: rxSubmission, value: intake.submissionId }],
  summary: 'Intake',
  details: `**Submission** ${intake.submissionId}`,
});

/** Tells the run of a stored intake to look at its retry entry. */
export const resumeIntake = (temporal: Client, submissionId: string): Promise<void> =>
  nudge(temporal, submitting({ submissionId, isStored: true }));
