import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import {
  type Approval,
  approvePrescription as approve,
} from '../../workflows/orchestrator/approve-prescription.js';
import { ordinary } from '../../workflows/proxies.js';

/** The release that `npm run evidence -- deploys` brings: the workflows as they are, but for an approval with a step more. */
export * from '../../workflows/bundle.js';

const patients = ordinary<PatientActivities>({
  startToCloseTimeout: '5500 ms',
  retry: { maximumAttempts: 3, initialInterval: '1 s' },
});

/** Looks for the patient before anything else. No run that has begun without this step could go on with it. */
export async function approvePrescription(approval: Approval): ReturnType<typeof approve> {
  const { emrPatientId } = approval;
  await patients('New step: is there such a patient?').fetchContact({ emrPatientId });
  return approve(approval);
}
