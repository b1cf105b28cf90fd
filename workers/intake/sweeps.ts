import { settleIncomplete, takeIncomplete } from '../../db/intake/incomplete-patients.js';
import { listOverdueRetries } from '../../db/intake/retry-queue.js';
import { dropLeftIntake, listLeftIntakes } from '../../db/intake/submissions.js';
import { intakeWorkflowId } from '../../workflows/ids.js';
import { dropOldCodes } from '../../db/intake/verification-codes.js';
import { readPatient } from '../../domain/orderable-patient.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { isRunning } from '../../starts/runs.js';
import { resumeIntake } from '../../starts/intake.js';
import type { Sweep } from '../beside.js';
import type { WorkerContext } from '../context.js';
import { stalledEvents } from '../publishing.js';

/** Nothing that is well is that late: an attempt takes at most 15 s. */
const overdueSeconds = 30;
const maxNudges = 500;
/** One after the other; the next pass is 10 s later. */
const maxChecks = 20;
const emrTimeoutMs = 3_000;

/** What the intake gateway looks for: a committed row that needs a run is found again (design rule 7). */
export function intakeSweeps(context: WorkerContext): Sweep[] {
  const { sql, temporal, logger, config } = context;
  const { EMR_BASE_URL: baseUrl, EMR_TOKEN: token } = config.service('intake');
  const emr = createEmrClient({ baseUrl, token });

  /** Retries whose run was ended from outside. */
  async function resumeOverdue(): Promise<void> {
    for (const submissionId of await listOverdueRetries(sql, { overdueSeconds, limit: maxNudges }))
      await resumeIntake(temporal, submissionId);
  }

  /** What a crash left between the keeping of an intake and the start of its run, which nobody was told was stored. */
  async function dropLeftIntakes(): Promise<void> {
    for (const submissionId of await listLeftIntakes(sql)) {
      if (await isRunning(temporal, intakeWorkflowId(submissionId))) continue;
      if (await dropLeftIntake(sql, submissionId))
        logger.warn({ submissionId }, 'dropped an intake whose run was never started');
    }
  }

  async function dropOldVerificationCodes(): Promise<void> {
    await dropOldCodes(sql);
  }

  /** Patients whom nothing could be ordered for: what the EMR has of them by now may do (D109). */
  async function checkIncomplete(): Promise<void> {
    for (const { submissionId, emrPatientId } of await takeIncomplete(sql, maxChecks)) {
      const record = await emr.readPatient(emrPatientId, { timeoutMs: emrTimeoutMs });
      if (!record || 'patient' in readPatient(record)) await settleIncomplete(sql, submissionId);
    }
  }

  return [
    resumeOverdue,
    dropLeftIntakes,
    dropOldVerificationCodes,
    checkIncomplete,
    stalledEvents(context, 'intake'),
  ];
}
