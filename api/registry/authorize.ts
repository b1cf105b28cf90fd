import type { FastifyRequest } from 'fastify';
import { forbidden, unknown } from '../refusals.js';

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
