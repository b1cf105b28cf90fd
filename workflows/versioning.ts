import type { VersioningBehavior } from '@temporalio/common';
import type * as workflows from './index.js';

/**
 * The worker version of a run during deploys (docs/production.md, "Deploys").
 *
 * `PINNED`, for runs of at most hours: the run, and all that continue it, stay on their first version.
 *
 * `AUTO_UPGRADE`, for runs that wait for days: the run moves to the current version, so new code must replay its
 * history (CONTRIBUTING.md, "The replay rule"). `patched()` would leave a branch in the code for a month.
 *
 * All services share one deployment: one per service would mean nine ramps, and runs whose activities meet another
 * release. Without a version a worker declares no behavior, since the server rejects such a task.
 */
export const versioning: { readonly [Name in keyof typeof workflows]: VersioningBehavior } = {
  abandonedCheckout: 'AUTO_UPGRADE',
  answerWorkItem: 'PINNED',
  applyRetention: 'PINNED',
  approvePrescription: 'PINNED',
  cancelApproval: 'AUTO_UPGRADE',
  cancelPrescription: 'AUTO_UPGRADE',
  checkSilence: 'PINNED',
  closeDay: 'PINNED',
  createOrganization: 'PINNED',
  createPatient: 'PINNED',
  deliverCallbacks: 'AUTO_UPGRADE',
  deliverEvents: 'AUTO_UPGRADE',
  deliverToEndpoint: 'AUTO_UPGRADE',
  denyPrescription: 'PINNED',
  discardOrganization: 'PINNED',
  erasePatient: 'AUTO_UPGRADE',
  findOrCreateEmrPatient: 'PINNED',
  followHold: 'AUTO_UPGRADE',
  followPlan: 'AUTO_UPGRADE',
  followShipment: 'PINNED',
  giveBack: 'PINNED',
  processRefill: 'PINNED',
  reconcileStatement: 'PINNED',
  recoverPayment: 'AUTO_UPGRADE',
  recoverRuns: 'PINNED',
  refillCheck: 'PINNED',
  refundCancelled: 'PINNED',
  replaceOrder: 'PINNED',
  rerouteOrder: 'AUTO_UPGRADE',
  retryCharge: 'PINNED',
  sendCode: 'PINNED',
  sendInvitation: 'PINNED',
  sendNotification: 'PINNED',
  sendSignInCode: 'PINNED',
  settlePayment: 'AUTO_UPGRADE',
  settleShipment: 'AUTO_UPGRADE',
  settleSubmission: 'AUTO_UPGRADE',
  submitIntake: 'PINNED',
  submitPrescription: 'PINNED',
  syncToEmr: 'PINNED',
  verifyCustomDomain: 'AUTO_UPGRADE',
};
