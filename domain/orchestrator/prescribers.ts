/** Who prescribes, as the runs record it (page 1, PrescriberInfo). */
export interface PrescriberInfo {
  firstName: string;
  lastName: string;
  suffix: string;
  npi: string;
  emrPractitionerId: string;
}

/** Step 3 ends with who prescribes and, where there is a signature, its name. */
export interface ResolvedPrescriber extends PrescriberInfo {
  signatureId?: string | undefined;
}

/** The registry has this long; then the static table decides, and what is not there of a signature stays away (D36). */
export const registryTimeoutMs = 2_000;

export type StaticPrescriber = 'A' | 'B';

const statesOfPrescriberA = new Set(['AK', 'CT', 'HI', 'LA', 'NM', 'NY']);

/** The static table behind the registry (D36): prescriber A where licensed, prescriber B everywhere else. */
export const staticPrescriber = (state: string): StaticPrescriber =>
  statesOfPrescriberA.has(state) ? 'A' : 'B';
