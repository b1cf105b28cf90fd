import type { FastifyRequest } from 'fastify';
import { forbidden, unknown } from '../http-errors.js';

/** For writes to the registry: a physician's key changes its own profile only (D50). */
export async function officeKeysOnly({ apiKey }: FastifyRequest): Promise<void> {
  if (apiKey.physicianId !== null) throw forbidden();
}

/** Whose key it is. @throws Refused 404 for a key without a physician, which asks for nobody (D50) */
export function ownerOf({ apiKey }: FastifyRequest): string {
  if (apiKey.physicianId === null) throw unknown('Physician');
  return apiKey.physicianId;
}

/** For `/physicians/me`: judged before the body is. */
export async function physicianKeysOnly(request: FastifyRequest): Promise<void> {
  ownerOf(request);
}

/**
 * A physician as a key may see them: the signature and the DEA number are for offices and for the physician's own key,
 * and left out of what another physician's key is answered (D96).
 */
export function shownTo<P extends { id: string; deaNumber?: string | null | undefined }>(
  { apiKey }: Pick<FastifyRequest, 'apiKey'>,
  physician: P,
): Shown<P> {
  if (apiKey.physicianId === null || apiKey.physicianId === physician.id) return physician;
  return { ...physician, deaNumber: undefined, signatureImage: undefined };
}
type Shown<P> = Omit<P, Private> & { [K in Extract<keyof P, Private>]?: P[K] | undefined };
type Private = 'deaNumber' | 'signatureImage';
