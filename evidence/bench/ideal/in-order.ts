import type { Request, Steps } from './steps.js';

export type AsyncSteps = {
  [Name in keyof Steps]: (...args: Parameters<Steps[Name]>) => Promise<Awaited<ReturnType<Steps[Name]>>>;
};

/** The order of the seven steps, which each way runs in its own manner. */
export async function inOrder(steps: AsyncSteps, request: Request) {
  const { taskId, patientId } = request;
  const submissionId = `ideal-${taskId}`;
  const medication = await steps.configureMedication(request);
  const patient = await steps.findPatient(patientId);
  const { pharmacy, prescriber } = await steps.choosePrescriber(patient.state);
  const submission = { id: submissionId, pharmacy, patient, prescriber, medication };
  const orderId = await steps.submitToPharmacy(submission);
  await steps.chargeCard(request, medication.amountCents);
  await steps.createLabel({ submissionId, orderId, pharmacy }, patient);
  const result = { medication: medication.title, state: patient.state, submissionId };
  await steps.notifyPatient(
    taskId,
    {
      id: `prescription_approved:${submissionId}`,
      kind: 'prescription_approved',
      email: patient.email,
      phone: patient.phone,
      text: `Hello ${patient.firstName}, your ${medication.title} is on its way from ${pharmacy}.`,
    },
    result,
  );
  return result;
}
