import type { FastifyRequest } from 'fastify';
import { forbidden, unknown } from '../http-errors.js';

/** A physician's key can only change its own profile (D50). */
export async function officeKeysOnly({ apiKey }: FastifyRequest): Promise<void> {
  if (apiKey.physicianId !== null) throw forbidden();
}

/** @throws HttpError 404 for a key without a physician (D50) */
export function ownerOf({ apiKey }: FastifyRequest): string {
  if (apiKey.physicianId === null) throw unknown('Physician');
  return apiKey.physicianId;
}

/** A `preValidation` hook of `/physicians/me`, so a key without a physician gets 404 whatever its body. */
export async function physicianKeysOnly(request: FastifyRequest): Promise<void> {
  ownerOf(request);
}

/** A physician without the signature and the DEA number, unless the key is an office's or the physician's own (D96). */
export function shownTo<P extends { id: string; deaNumber?: string | null | undefined }>(
  { apiKey }: Pick<FastifyRequest, 'apiKey'>,
  physician: P,
): Shown<P> {
  if (apiKey.physicianId === null || apiKey.physicianId === physician.id) return physician;
  return { ...physician, deaNumber: undefined, signatureImage: undefined };
}
type Shown<P> = Omit<P, Private> & { [K in Extract<keyof P, Private>]?: P[K] | undefined };
type Private = 'deaNumber' | 'signatureImage';
