import type { Dosage, Medication, MedicationRequest, Resource } from 'fhir/r4.js';
import { entriesOf } from '../patient-entries.js';

type Reading = Pick<
  MedicationRequest,
  | 'identifier'
  | 'subject'
  | 'medicationCodeableConcept'
  | 'medicationReference'
  | 'contained'
  | 'dosageInstruction'
  | 'doNotPerform'
>;

/** Why an activated prescription starts no approval, as its work item names it. */
export type Unstarted =
  'do_not_perform' | 'patient_unreadable' | 'medication_unreadable' | 'directions_unreadable';

/** The task of a request: the value of its identifier in the system of tasks. */
export const taskOf = ({ identifier }: Partial<Reading>, taskSystem: string): string | undefined =>
  identifier?.find(({ system, value }) => system === taskSystem && Boolean(value))?.value;

/** The approval that an activated MedicationRequest asks for (D44). Codes come before the text as medication keys. */
export function requestedApproval(request: Partial<Reading>) {
  const medication = medicationOf(request);
  const candidates = [...entriesOf(medication?.coding).map(({ code }) => code), medication?.text];
  return {
    isForbidden: request.doNotPerform === true,
    emrPatientId: /(?:^|\/)Patient\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[^/]*)?$/.exec(
      request.subject?.reference ?? '',
    )?.[1],
    medicationKeys: [...new Set(candidates.filter(isText))],
    dosage: directionsOf(request.dosageInstruction),
  };
}

const isText = (text: unknown): text is string => typeof text === 'string' && text !== '';

function medicationOf({ medicationCodeableConcept, medicationReference, contained }: Partial<Reading>) {
  const isNamed = (resource: Resource): resource is Medication =>
    resource.resourceType === 'Medication' && medicationReference?.reference === `#${resource.id ?? ''}`;
  return medicationCodeableConcept ?? entriesOf(contained).find(isNamed)?.code;
}

/** All instructions in their sequence. Undefined without any; null if one has no text, since we word no doses. */
function directionsOf(instructions: readonly Dosage[] = []): string | null | undefined {
  if (instructions.length === 0) return undefined;
  const place = ({ sequence }: Dosage) => sequence ?? Number.MAX_SAFE_INTEGER;
  const texts = instructions.toSorted((a, b) => place(a) - place(b)).map(({ text = '' }) => text);
  return texts.every((text) => /\S/.test(text)) ? texts.join('; ') : null;
}
