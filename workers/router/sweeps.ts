import { listOverdueQueues } from '../../db/router/callbacks.js';
import { listPendingCancellations } from '../../db/router/cancellations.js';
import { listUnreleasedHolds } from '../../db/router/holds.js';
import { listOpenSubmissions } from '../../db/router/submission-claims.js';
import { dropPayload, listLeftPayloads, settleSubmission } from '../../db/router/submissions.js';
import { listUnknownOrders } from '../../db/router/unknown-orders.js';
import { idPart } from '../../platform/crypto/ids.js';
import { terminatedText } from '../../domain/router/submission.js';
import {
  cancellationWorkflowId,
  holdWorkflowId,
  settleSubmissionWorkflowId,
  submissionWorkflowId,
} from '../../workflows/ids.js';
import { isRunning } from '../../starts/runs.js';
import {
  recheckCallbacks,
  recheckCancellation,
  recheckHold,
  recheckUnknownOrder,
  submit,
} from '../../starts/router.js';
import { overdue, type Sweep, type WorkerContext } from '../context.js';
import { eachRow } from '../each-row.js';
import { stalledEvents } from '../publishing.js';

/** An undisturbed run closes its submission sooner. */
const openSeconds = 15;
const lookAgainSeconds = 120;

export function routerSweeps(context: WorkerContext): Sweep[] {
  const { sql, temporal, logger } = context;

  /** Callbacks whose workflow was terminated. */
  async function resumeOverdueCallbacks(): Promise<void> {
    await eachRow(await listOverdueQueues(sql, overdue), (submissionId) =>
      recheckCallbacks(temporal, submissionId),
    );
  }

  /**
   * Starts the workflow of a submission whose first attempt was lost with its process (D113). Closes submissions of
   * terminated workflows as unanswered, since the order may exist.
   */
  async function resumeOpenSubmissions(): Promise<void> {
    await eachRow(await listOpenSubmissions(sql, openSeconds), async ({ withoutRun, ...claim }) => {
      const { submissionId, claimId } = claim;
      if (await isRunning(temporal, submissionWorkflowId(submissionId))) return;
      if (withoutRun) {
        await submit(temporal, { ...claim, takesOver: claimId }, 0);
        logger.warn({ submissionId }, 'started the workflow of a submission whose first attempt was lost');
        return;
      }
      const result = { outcome: 'unanswered', error: terminatedText, response: null } as const;
      await settleSubmission(sql, { submissionId, claimId }, result);
      logger.warn({ submissionId }, 'closed a submission whose workflow was terminated');
    });
  }

  /** Unknown orders whose reconciling workflow was terminated. */
  async function reconcileUnknownOrders(): Promise<void> {
    await eachRow(await listUnknownOrders(sql, openSeconds), async (submissionId) => {
      if (await isRunning(temporal, settleSubmissionWorkflowId(submissionId))) return;
      await recheckUnknownOrder(temporal, submissionId);
    });
  }

  /** Cancellations whose workflow was terminated. */
  async function resumeCancellations(): Promise<void> {
    await eachRow(await listPendingCancellations(sql, overdue.overdueSeconds), async (submissionId) => {
      if (!(await isRunning(temporal, cancellationWorkflowId(submissionId))))
        await recheckCancellation(temporal, submissionId);
    });
  }

  /** Holds whose workflow was terminated. Each is checked every few minutes only, since there may be many. */
  async function resumeHolds(): Promise<void> {
    await eachRow(await listUnreleasedHolds(sql, lookAgainSeconds), async (hold) => {
      if (!(await isRunning(temporal, holdWorkflowId(hold.submissionId, idPart(hold.holdId)))))
        await recheckHold(temporal, hold);
    });
  }

  /** Bodies with patient data that a crash left without a workflow. */
  async function dropLeftPayloads(): Promise<void> {
    await eachRow(await listLeftPayloads(sql), async ({ claimId, submissionId }) => {
      if (submissionId !== null && (await isRunning(temporal, submissionWorkflowId(submissionId)))) return;
      await dropPayload(sql, claimId);
      logger.warn('dropped the body of a request whose workflow never started');
    });
  }

  return [
    resumeOverdueCallbacks,
    resumeOpenSubmissions,
    reconcileUnknownOrders,
    resumeCancellations,
    resumeHolds,
    dropLeftPayloads,
    stalledEvents(context, 'router'),
  ];
}
