import type { VersioningBehavior } from '@temporalio/common';
import type * as workflows from './index.js';

/**
 * On which version of the workers a run stays while a new one is deployed (docs/production.md, "Deploys"); a workflow
 * without its line here does not compile.
 *
 * `PINNED`: the run ends on the version that it began on, so its code may change as it likes. For what is over within
 * hours, since that version's workers stay until then; a chain of runs that continue as new stays on it too.
 *
 * `AUTO_UPGRADE`: the run moves to the current version with its next step, so new code must give the commands that its
 * history holds (CONTRIBUTING.md, "The replay rule"). For what waits for days, which would keep old workers for days.
 */
export const versioning: { readonly [Name in keyof typeof workflows]: VersioningBehavior } = {
  abandonedCheckout: 'AUTO_UPGRADE',
  answerWorkItem: 'PINNED',
  applyRetention: 'PINNED',
  approvePrescription: 'PINNED',
  cancelApproval: 'AUTO_UPGRADE',
  cancelPrescription: 'AUTO_UPGRADE',
  checkSilence: 'PINNED',
  createOrganization: 'PINNED',
  createPatient: 'PINNED',
  deliverCallbacks: 'AUTO_UPGRADE',
  deliverEvents: 'AUTO_UPGRADE',
  denyPrescription: 'PINNED',
  discardOrganization: 'PINNED',
  erasePatient: 'AUTO_UPGRADE',
  findOrCreateEmrPatient: 'PINNED',
  followHold: 'AUTO_UPGRADE',
  followShipment: 'PINNED',
  giveBack: 'PINNED',
  processRefill: 'PINNED',
  recoverPayment: 'AUTO_UPGRADE',
  recoverRuns: 'PINNED',
  refillCheck: 'PINNED',
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
