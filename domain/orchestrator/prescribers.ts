/** The prescriber of an order (page 1, PrescriberInfo). */
export interface PrescriberInfo {
  firstName: string;
  lastName: string;
  suffix: string;
  npi: string;
  emrPractitionerId: string;
}

export interface ResolvedPrescriber extends PrescriberInfo {
  signatureId?: string | undefined;
}

/** After this time without a registry answer, the static table decides, and the order has no signature (D36). */
export const registryTimeoutMs = 2_000;

export type StaticPrescriber = 'A' | 'B';

const statesOfPrescriberA = new Set(['AK', 'CT', 'HI', 'LA', 'NM', 'NY']);

/** The fallback of the registry (D36): prescriber A in the states of their license, prescriber B elsewhere. */
export const staticPrescriber = (state: string): StaticPrescriber =>
  statesOfPrescriberA.has(state) ? 'A' : 'B';
