import { setTimeout as sleep } from 'node:timers/promises';
import { WithStartWorkflowOperation, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import type { IntakeDependencies } from '../activities/intake/submissions.js';
import type { EmrAttempt } from '../domain/intake/intake.js';
import { keyedHash } from '../platform/crypto/ids.js';
import type {
  findOrCreateEmrPatient,
  IntakeReference,
} from '../workflows/intake/find-or-create-emr-patient.js';
import { emrPatientWorkflowId } from '../workflows/ids.js';
import { taskQueues } from '../workflows/queues.js';
import type { WorkerContext } from '../workers/context.js';

const tooLate: EmrAttempt = { error: 'EMR did not answer in time' };

/**
 * Asks the run that looks after an e-mail address's EMR patient, and starts it where there is none. Those of this
 * process who ask about the same address at once take the patient that the first of them is given: Temporal lets only
 * ten updates wait for one run, and lets the next come back after a second.
 */
export function patientFinder({
  temporal,
  config,
}: WorkerContext): IntakeDependencies['findOrCreatePatient'] {
  const { ID_HASH_SECRET } = config.service('intake');
  const underWay = new Map<string, Promise<EmrAttempt | undefined>>();

  return async ({ submissionId, email, timeoutMs }) => {
    const deadline = Date.now() + timeoutMs;
    const emailKey = keyedHash(ID_HASH_SECRET, email.toLowerCase());
    const first = underWay.get(emailKey);
    const shared = await Promise.race([first, first && sleep(timeoutMs, undefined, { ref: false })]);
    if (shared && 'emrPatientId' in shared) return shared;
    if (Date.now() >= deadline) return tooLate;

    const asked = ask({ submissionId, emailKey, deadline });
    const own = asked.catch(() => undefined);
    underWay.set(emailKey, own);
    try {
      return await asked;
    } finally {
      if (underWay.get(emailKey) === own) underWay.delete(emailKey);
    }
  };

  async function ask({
    submissionId,
    emailKey,
    deadline,
  }: IntakeReference & { emailKey: string; deadline: number }): Promise<EmrAttempt> {
    const startWorkflowOperation = new WithStartWorkflowOperation<typeof findOrCreateEmrPatient>(
      'findOrCreateEmrPatient',
      {
        workflowId: emrPatientWorkflowId(emailKey),
        taskQueue: taskQueues.intakeEmr,
        workflowIdConflictPolicy: 'USE_EXISTING',
        args: [],
        staticSummary: 'EMR patient of an e-mail address',
        staticDetails: 'Looks for the patient and creates one if there is none, one attempt at a time.',
      },
    );
    try {
      return await temporal.withDeadline(deadline, () =>
        temporal.workflow.executeUpdateWithStart<
          typeof findOrCreateEmrPatient,
          EmrAttempt,
          [IntakeReference]
        >('findOrCreate', { args: [{ submissionId }], startWorkflowOperation }),
      );
    } catch (error) {
      if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || Date.now() >= deadline) return tooLate;
      throw error;
    }
  }
}
