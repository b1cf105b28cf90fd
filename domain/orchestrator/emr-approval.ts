import type { MedicationRequest } from 'fhir/r4.js';

/** An activated MedicationRequest says this about the approval of a task (D44). */
export interface RequestedApproval {
  /** FHIR id of the patient; undefined when the request names none. */
  emrPatientId: string | undefined;
  /** Each may be the medication's key; they count in this order: the codes, then the text. */
  medicationKeys: string[];
  /** Directions; the medication's own where there are none. */
  dosage: string | undefined;
}

type Reading = Pick<
  MedicationRequest,
  'identifier' | 'subject' | 'medicationCodeableConcept' | 'dosageInstruction'
>;

/** The task that a request belongs to: the value of its identifier in the system of tasks. */
export const taskOf = ({ identifier }: Partial<Reading>, taskSystem: string): string | undefined =>
  identifier?.find(({ system, value }) => system === taskSystem && Boolean(value))?.value;

export function requestedApproval({
  subject,
  medicationCodeableConcept: medication,
  dosageInstruction,
}: Partial<Reading>): RequestedApproval {
  const candidates = [...(medication?.coding?.map(({ code }) => code) ?? []), medication?.text];
  return {
    emrPatientId: /(?:^|\/)Patient\/([A-Za-z0-9.-]{1,64})$/.exec(subject?.reference ?? '')?.[1],
    medicationKeys: [...new Set(candidates.filter((key): key is string => Boolean(key)))],
    dosage: dosageInstruction?.[0]?.text,
  };
}
