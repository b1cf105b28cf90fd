import { eventsRunPrefix } from '../domain/events.js';
import { paymentRecoveryPrefix } from '../domain/orchestrator/dunning.js';
import { planRunPrefix } from '../domain/orchestrator/plans.js';

/**
 * Workflow ids are business keys without patient data. A part that a client chose goes through `idPart` of
 * platform/crypto, which hashes long ones.
 */
export const approvalWorkflowId = (taskPart: string): string => `approval:${taskPart}`;
export const denialWorkflowId = (taskPart: string): string => `denial:${taskPart}`;
export const cancelApprovalWorkflowId = (taskPart: string): string => `cancel-approval:${taskPart}`;
export const replacementWorkflowId = (referencePart: string): string => `replacement:${referencePart}`;
export const rerouteWorkflowId = (taskPart: string): string => `reroute:${taskPart}`;
export const refillCheckWorkflowId = (checkId: string): string => `refill-check:${checkId}`;
export const refillWorkflowId = (scheduleId: string, n: number): string => `refill:${scheduleId}:${n}`;
export const retryChargeWorkflowId = (taskPart: string, n: number): string => `retry-charge:${taskPart}:${n}`;
export const paymentRecoveryWorkflowId = (referencePart: string): string =>
  `${paymentRecoveryPrefix}${referencePart}`;
export const planWorkflowId = (planId: string): string => `${planRunPrefix}${planId}`;
export const closeWorkflowId = (date: string): string => `close:${date}`;
/** @param client '' is the default client */
export const endpointWorkflowId = (client: string): string => `endpoint:${client}`;
export const statementWorkflowId = (statementId: string): string => `statement:${statementId}`;
export const recoveryWorkflowId = (recoveryId: string): string => `recovery:${recoveryId}`;
export const shipmentWorkflowId = (submissionId: string): string => `shipment:${submissionId}`;
export const submissionWorkflowId = (submissionId: string): string => `submission:${submissionId}`;
export const cancellationWorkflowId = (submissionId: string): string => `cancellation:${submissionId}`;
export const holdWorkflowId = (submissionId: string, holdPart: string): string =>
  `hold:${submissionId}:${holdPart}`;
export const settleSubmissionWorkflowId = (submissionId: string): string =>
  `settle-submission:${submissionId}`;
export const callbacksWorkflowId = (submissionId: string): string => `callbacks:${submissionId}`;
export const patientCreateWorkflowId = (patientId: string): string => `patient-create:${patientId}`;
export const eventsWorkflowId = (consumer: string, source: string, aggregateId: string): string =>
  `${eventsRunPrefix}${consumer}:${source}:${aggregateId}`;
export const syncWorkflowId = (syncAttemptId: string): string => `emr-sync:${syncAttemptId}`;
export const invitationWorkflowId = (eventId: string): string => `invitation:${eventId}`;
export const codesLockedWorkflowId = (eventId: string): string => `codes-locked:${eventId}`;
export const notificationWorkflowId = (logId: string): string => `notification:${logId}`;
export const createOrganizationWorkflowId = (organizationId: string): string =>
  `organization-create:${organizationId}`;
export const discardOrganizationWorkflowId = (organizationId: string): string =>
  `organization-discard:${organizationId}`;
export const customDomainWorkflowId = (hostnamePart: string): string => `domain:${hostnamePart}`;
export const signInCodeWorkflowId = (codeId: string): string => `sign-in-code:${codeId}`;
export const verificationCodeWorkflowId = (codeId: string): string => `verification-code:${codeId}`;
/** @param emailHash keyed hash */
export const checkoutWorkflowId = (emailHash: string): string => `checkout:${emailHash}`;
export const intakeWorkflowId = (submissionId: string): string => `intake:${submissionId}`;
/** @param personKey keyed hash */
export const emrPatientWorkflowId = (personKey: string): string => `emr-patient:${personKey}`;
export const answerWorkItemWorkflowId = (itemId: string): string => `work-item:${itemId}`;
export const erasureWorkflowId = (erasureId: string): string => `erasure:${erasureId}`;

/** For the n-th charge of the run. */
export const settlePaymentWorkflowId = (runWorkflowId: string, n: number): string =>
  `settle-payment:${runWorkflowId}:${n}`;
export const settleShipmentWorkflowId = (submissionId: string): string => `settle-shipment:${submissionId}`;
export const giveBackWorkflowId = (referencePart: string): string => `refund:${referencePart}`;
