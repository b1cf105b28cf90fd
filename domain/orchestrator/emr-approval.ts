import type { MedicationRequest } from 'fhir/r4.js';

type Reading = Pick<
  MedicationRequest,
  'identifier' | 'subject' | 'medicationCodeableConcept' | 'dosageInstruction'
>;

/** The task of a request: the value of its identifier in the system of tasks. */
export const taskOf = ({ identifier }: Partial<Reading>, taskSystem: string): string | undefined =>
  identifier?.find(({ system, value }) => system === taskSystem && Boolean(value))?.value;

/** The approval that an activated MedicationRequest asks for (D44). Codes come before the text as medication keys. */
export function requestedApproval({
  subject,
  medicationCodeableConcept: medication,
  dosageInstruction,
}: Partial<Reading>) {
  const candidates = [...(medication?.coding?.map(({ code }) => code) ?? []), medication?.text];
  return {
    emrPatientId: /(?:^|\/)Patient\/([A-Za-z0-9.-]{1,64})$/.exec(subject?.reference ?? '')?.[1],
    medicationKeys: [...new Set(candidates.filter((key): key is string => Boolean(key)))],
    dosage: dosageInstruction?.[0]?.text,
  };
}
