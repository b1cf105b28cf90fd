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
import type { Sweep } from '../beside.js';
import type { WorkerContext } from '../context.js';
import { stalledEvents } from '../publishing.js';

/** Nothing that is well is that late: an attempt takes at most 10 s. */
const overdueSeconds = 30;
/** A run that nothing hinders has closed its submission by then. */
const openSeconds = 15;
const maxNudges = 500;
const lookAgainSeconds = 120;

/** What the router looks for: a committed row that needs a run is found again (design rule 7). */
export function routerSweeps(context: WorkerContext): Sweep[] {
  const { sql, temporal, logger } = context;

  /** Callbacks whose run was ended from outside. */
  async function nudgeOverdue(): Promise<void> {
    for (const submissionId of await listOverdueQueues(sql, { overdueSeconds, limit: maxNudges }))
      await recheckCallbacks(temporal, submissionId);
  }

  /**
   * Submissions whose first try was lost with its process, which a run takes over (D113), and those whose run was ended
   * from outside: nobody knows whether the order exists.
   */
  async function seeToOpen(): Promise<void> {
    for (const { withoutRun, ...claim } of await listOpenSubmissions(sql, openSeconds)) {
      const { submissionId, claimId } = claim;
      if (await isRunning(temporal, submissionWorkflowId(submissionId))) continue;
      if (withoutRun) {
        await submit(temporal, { ...claim, takesOver: claimId }, 0);
        logger.warn({ submissionId }, 'started the run of a submission whose first try was lost');
        continue;
      }
      const result = { outcome: 'unanswered', error: terminatedText, response: null } as const;
      await settleSubmission(sql, { submissionId, claimId }, result);
      logger.warn({ submissionId }, 'closed a submission whose run was ended from outside');
    }
  }

  /** Orders that nobody knows of, and whose asking was ended from outside. */
  async function askForUnknown(): Promise<void> {
    for (const submissionId of await listUnknownOrders(sql, openSeconds)) {
      if (await isRunning(temporal, settleSubmissionWorkflowId(submissionId))) continue;
      await recheckUnknownOrder(temporal, submissionId);
    }
  }

  /** Cancellations whose run was ended from outside. */
  async function resumeCancellations(): Promise<void> {
    for (const submissionId of await listPendingCancellations(sql, overdueSeconds))
      if (!(await isRunning(temporal, cancellationWorkflowId(submissionId))))
        await recheckCancellation(temporal, submissionId);
  }

  /** Holds whose run was ended from outside; each is looked after every few minutes, since there may be many. */
  async function resumeHolds(): Promise<void> {
    for (const hold of await listUnreleasedHolds(sql, lookAgainSeconds))
      if (!(await isRunning(temporal, holdWorkflowId(hold.submissionId, idPart(hold.holdId)))))
        await recheckHold(temporal, hold);
  }

  /** Bodies, which hold patient data, that a crash left between their keeping and the start of the run. */
  async function dropLeftPayloads(): Promise<void> {
    for (const { claimId, submissionId } of await listLeftPayloads(sql)) {
      if (submissionId !== null && (await isRunning(temporal, submissionWorkflowId(submissionId)))) continue;
      await dropPayload(sql, claimId);
      logger.warn('dropped the body of a request whose run was never started');
    }
  }

  return [
    nudgeOverdue,
    seeToOpen,
    askForUnknown,
    resumeCancellations,
    resumeHolds,
    dropLeftPayloads,
    stalledEvents(context, 'router'),
  ];
}
