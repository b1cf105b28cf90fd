import { highestKnownVersion, noteVersion } from '../../db/admin-sessions.js';
import { createOrganizationClient } from '../../integrations/organization/client.js';
import type { AdminClaims } from '../../platform/crypto/admin-token.js';
import type { ServiceContext } from '../context.js';
import { HttpError } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';

/** True if a token with a valid signature is still valid. @throws HttpError 503 if that cannot be found out */
export type AdmitsToken = (claims: AdminClaims, authorization: string) => Promise<boolean>;

/** Both count from the moment of asking, and stay below the 5 s within which a token ends everywhere (D72). */
const timeoutMs = 4_500;
const trustedForMs = 3_000;

/**
 * Asks the organization service, so that an unknown admin has no token, and nobody makes themselves a superadmin or an
 * operator (D72, D141). Only a valid token is remembered, for seconds.
 */
export function askOrganization(settings: { baseUrl: string }): AdmitsToken {
  const organizations = createOrganizationClient(settings);
  const asked = new Map<string, { admits: Promise<boolean>; until: number }>();

  return async (claims, authorization) => {
    const now = performance.now();
    for (const [known, { until }] of asked) if (until <= now) asked.delete(known);
    const known = asked.get(authorization);
    if (known) return known.admits;
    const admits = organizations
      .rightsOf(authorization, { timeoutMs })
      .then((admin) => admin !== undefined && claimsNoMore(claims, admin))
      .catch(outboundAs(unavailable));
    asked.set(authorization, { admits, until: now + trustedForMs });
    if (!(await admits.catch(() => false))) asked.delete(authorization);
    return admits;
  };
}

type Rights = Pick<AdminClaims, 'isSuperadmin' | 'isOperator'>;

/** True unless a token says that an admin is a superadmin or an operator who is none. */
export const claimsNoMore = (claimed: Rights, admin: Rights): boolean =>
  (!claimed.isSuperadmin || admin.isSuperadmin) && (!claimed.isOperator || admin.isOperator === true);

/**
 * Judges tokens in a service that hears of ended ones by events (D72). It asks the organization service about each
 * superadmin and operator, and once about every other admin.
 */
export function admitsKnown(
  { sql, config }: ServiceContext,
  schema: 'intake' | 'notification' | 'patients' | 'bridge' | 'worklist',
): AdmitsToken {
  const knownVersion = highestKnownVersion(sql, schema);
  const ask = askOrganization({ baseUrl: config.service(schema).ORGANIZATION_URL });
  return async (claims, authorization) => {
    const known = await knownVersion(claims.sub);
    if (known !== undefined && claims.ver < known) return false;
    if (known !== undefined && !claims.isSuperadmin && !claims.isOperator) return true;
    const isAdmitted = await ask(claims, authorization);
    if (isAdmitted && known === undefined) await noteVersion(sql, schema, { adminId: claims.sub, ver: 0 });
    return isAdmitted;
  };
}

const unavailable = () =>
  new HttpError(503, 'The organization service is unavailable', { headers: { 'retry-after': '5' } });
