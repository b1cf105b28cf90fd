import { describe } from '@jest/globals';
import { applyRetention } from '../replay/cases/apply-retention.js';
import { checkSilence } from '../replay/cases/check-silence.js';
import { closeDay } from '../replay/cases/close-day.js';
import { followHold } from '../replay/cases/follow-hold.js';
import { followPlan } from '../replay/cases/follow-plan.js';
import { reconcileStatement } from '../replay/cases/reconcile-statement.js';
import { recoverRuns } from '../replay/cases/recover-runs.js';
import { mails as codes, sendCode } from '../replay/cases/send-code.js';
import { mails as signInCodes, sendSignInCode } from '../replay/cases/send-sign-in-code.js';
import { settleShipment } from '../replay/cases/settle-shipment.js';
import { settleSubmission } from '../replay/cases/settle-submission.js';
import { afterOwnFaults, submitPrescription } from '../replay/cases/submit-prescription.js';
import { useRuns } from './runs.js';

// Workflows of which the recorded cases say nearly all: one server serves them.

describe('the daily close', () => {
  useRuns('closeDay').testCases(closeDay);
});

describe('a plan', () => {
  useRuns('followPlan').testCases(followPlan);
});

describe('the reconciliation of a statement', () => {
  useRuns('reconcileStatement').testCases(reconcileStatement);
});

describe('what is past its age', () => {
  useRuns('applyRetention').testCases(applyRetention);
});

describe('what failed together', () => {
  useRuns('recoverRuns').testCases(recoverRuns);
});

describe('a label whose answers were lost', () => {
  useRuns('settleShipment').testCases(settleShipment);
});

describe('an order whose outcome is unknown', () => {
  useRuns('settleSubmission').testCases(settleSubmission);
});

describe('a submission', () => {
  const { testCases } = useRuns('submitPrescription');
  testCases(submitPrescription);
  testCases({ 'database down': afterOwnFaults(30) });
});

describe('a hold', () => {
  useRuns('followHold').testCases(followHold);
});

describe('a check for silence', () => {
  useRuns('checkSilence').testCases(checkSilence);
});

describe('a verification code', () => {
  const { testCases } = useRuns('sendCode');
  testCases(sendCode);
  testCases({ outage: codes().awayForLong });
});

describe('a sign-in code', () => {
  const { testCases } = useRuns('sendSignInCode');
  testCases(sendSignInCode);
  testCases({ outage: signInCodes().awayForLong });
});
