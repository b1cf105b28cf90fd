import { settleIncomplete, takeIncomplete } from '../../db/intake/incomplete-patients.js';
import { listOverdueRetries } from '../../db/intake/retry-queue.js';
import { dropLeftIntake, listLeftIntakes } from '../../db/intake/submissions.js';
import { intakeWorkflowId } from '../../workflows/ids.js';
import { dropOldBudgets } from '../../db/intake/day-budgets.js';
import { dropOldCodes } from '../../db/intake/verification-codes.js';
import { judgePatient } from '../../domain/orderable-patient.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { businessDay } from '../../platform/business-day.js';
import { isRunning } from '../../starts/runs.js';
import { resumeIntake } from '../../starts/intake.js';
import { overdue, type Sweep, type WorkerContext } from '../context.js';
import { eachRow } from '../each-row.js';
import { stalledEvents } from '../publishing.js';

/** Checked one by one; the next pass is 10 s later. */
const maxChecks = 20;
const emrTimeoutMs = 3_000;

export function intakeSweeps(context: WorkerContext): Sweep[] {
  const { sql, temporal, logger, config } = context;
  const { EMR_BASE_URL: baseUrl, EMR_TOKEN: token } = config.service('intake');
  const emr = createEmrClient({ baseUrl, token });

  /** Retries whose workflow was terminated. */
  async function resumeOverdue(): Promise<void> {
    await eachRow(await listOverdueRetries(sql, overdue), (submissionId) =>
      resumeIntake(temporal, submissionId),
    );
  }

  /** Intakes that a crash left stored without starting their workflow. No caller got a success for them. */
  async function dropLeftIntakes(): Promise<void> {
    await eachRow(await listLeftIntakes(sql), async (submissionId) => {
      if (await isRunning(temporal, intakeWorkflowId(submissionId))) return;
      if (await dropLeftIntake(sql, submissionId))
        logger.warn({ submissionId }, 'dropped an intake whose workflow never started');
    });
  }

  async function dropOldVerificationCodes(): Promise<void> {
    await dropOldCodes(sql);
    await dropOldBudgets(sql);
  }

  /** Patients whose record lacked data for an order. The EMR may have the data by now (D109). */
  async function checkIncomplete(): Promise<void> {
    await eachRow(await takeIncomplete(sql, maxChecks), async ({ submissionId, emrPatientId }) => {
      const record = await emr.readPatient(emrPatientId, { timeoutMs: emrTimeoutMs });
      const today = businessDay(config.BUSINESS_TIMEZONE);
      const isIncomplete = record !== undefined && 'missing' in judgePatient(record, { today });
      if (!isIncomplete) await settleIncomplete(sql, submissionId);
    });
  }

  return [
    resumeOverdue,
    dropLeftIntakes,
    dropOldVerificationCodes,
    checkIncomplete,
    stalledEvents(context, 'intake'),
  ];
}
