import { sleep } from '@temporalio/workflow';
import type { DenialActivities } from '../../../activities/orchestrator/tasks.js';
import type { SubmissionActivities } from '../../../activities/router/submissions.js';
import {
  type Approval,
  approvePrescription as approve,
} from '../../../workflows/orchestrator/approve-prescription.js';
import { localFirst } from '../../../workflows/proxies.js';

/** As it is. The changed ones here would break their runs in flight. */
export { sendNotification } from '../../../workflows/notification/send-notification.js';

/** With a pause that was not there. */
export async function approvePrescription(approval: Approval): Promise<unknown> {
  await sleep('1 s');
  return approve(approval);
}

/** With its first activity and its last swapped. */
export async function submitPrescription(): Promise<void> {
  const records = localFirst<SubmissionActivities>({ startToCloseTimeout: '10 s' });
  await records('3/3 Record the result').recordSubmissionResult({} as never);
  await records('1/3 Claim the order reference').claimSubmission({} as never);
}

/** With two local activities side by side. */
export async function denyPrescription(): Promise<void> {
  const records = localFirst<DenialActivities>({ startToCloseTimeout: '10 s' });
  await Promise.all([
    records('Record the denial').claimDenial({} as never),
    records('Release the task').finishDenial({} as never),
  ]);
}
