import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import {
  type Approval,
  approvePrescription as approve,
} from '../../workflows/orchestrator/approve-prescription.js';
import { ordinary } from '../../workflows/proxies.js';

/** The next release of `npm run evidence -- deploys`: the current workflows, with one more step in an approval. */
export * from '../../workflows/bundle.js';

const patients = ordinary<PatientActivities>({
  startToCloseTimeout: '5500 ms',
  retry: { maximumAttempts: 3, initialInterval: '1 s' },
});

/** Looks up the patient first. A run without this step fails on this code with a nondeterminism error. */
export async function approvePrescription(approval: Approval): ReturnType<typeof approve> {
  const { emrPatientId } = approval;
  await patients('New step: is there such a patient?').fetchContact({ emrPatientId });
  return approve(approval);
}
