import { z } from 'zod';
import { type CallLimits, exchange, parseAnswer } from '../../platform/http/outbound.js';

const party = 'Organization service';
const organizationAnswer = z.object({
  organization: z.object({ status: z.enum(['active', 'suspended', 'archived']) }),
});
const meAnswer = z.object({
  admin: z.object({ email: z.string(), isSuperadmin: z.boolean(), isOperator: z.boolean() }),
});
const signInTimeoutMs = 5_000;

export type OrganizationClient = ReturnType<typeof createOrganizationClient>;

/** Organizations and admins, seen with an admin's token. All methods throw OutboundError. */
export function createOrganizationClient({ baseUrl }: { baseUrl: string }) {
  const get = (path: string, resource: string, authorization: string, limits: CallLimits) =>
    exchange({ party, method: 'GET', resource, url: baseUrl + path, headers: { authorization }, ...limits });
  return {
    /** The status of an organization; undefined if the admin cannot see it. */
    async statusOf(organizationId: string, authorization: string, limits: CallLimits) {
      const path = `/v1/organizations/${encodeURIComponent(organizationId)}`;
      const response = await get(path, 'organization', authorization, limits);
      if (response.status === 404) return undefined;
      return parseAnswer(party, response, organizationAnswer).organization.status;
    },

    /** What the holder of a valid token is; undefined if the token is not valid. */
    async rightsOf(
      authorization: string,
      limits: CallLimits,
    ): Promise<{ isSuperadmin: boolean; isOperator: boolean } | undefined> {
      const response = await get('/v1/auth/me', 'session', authorization, limits);
      if (response.status === 401) return undefined;
      return parseAnswer(party, response, meAnswer).admin;
    },

    /** The address of the admin who holds the token (D72). */
    async emailOf(authorization: string): Promise<string> {
      const response = await get('/v1/auth/me', 'session', authorization, { timeoutMs: signInTimeoutMs });
      return parseAnswer(party, response, meAnswer).admin.email;
    },
  };
}
