import type { FastifyRequest } from 'fastify';
import { type AdminClaims, verifyAdminToken } from '../../platform/crypto/admin-token.js';
import { forbidden, HttpError } from '../http-error.js';

/**
 * The superadmin whose token a request bears (D71).
 * @throws HttpError 401 without a valid token, 403 for any other admin
 */
export async function requireSuperadmin(request: FastifyRequest, secret: string): Promise<AdminClaims> {
  const token = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const admin = token === undefined ? undefined : await verifyAdminToken(secret, token);
  if (!admin) throw new HttpError(401, { error: 'Unauthorized' });
  if (!admin.isSuperadmin) throw forbidden();
  return admin;
}
