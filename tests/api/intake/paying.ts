import type { DevJson } from '../../../dev/dev-json.js';
import { adminToken, eventually } from '../../helpers/client.js';
import { freshEmail, handedIn, newIntake, storedSubmission } from './intakes.js';
import { proofOf, visit } from './visitors.js';

/**
 * A patient who came by an intake with a card, and can save another with proof of the mailbox.
 * @param isKept whether the orchestrator has heard of the card
 */
export async function patientOfIntake(
  dev: DevJson,
  card: string,
  isKept: (emrPatientId: string) => Promise<boolean>,
) {
  const email = freshEmail();
  const emailProof = await proofOf(dev, email);
  const { submissionId } = await handedIn(dev, await newIntake(dev, { email, emailProof }));
  const saveAnother = async (paymentMethodId: string) => {
    const { status } = await visit(dev, '/save-payment-info', { submissionId, paymentMethodId, emailProof });
    if (status !== 200) throw new Error(`the card was not saved: ${status}`);
  };
  await saveAnother(card);
  const root = await adminToken(dev);
  const patient = await eventually(
    async () => (await storedSubmission(dev, root, submissionId)).emr_patient_id ?? undefined,
  );
  await eventually(() => isKept(patient));
  return { patient, saveAnother };
}
