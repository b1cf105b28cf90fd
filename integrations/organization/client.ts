import { z } from 'zod';
import { exchange, expectOk, parseAnswer } from '../../platform/http/outbound.js';

const party = 'Organization service';
const answer = z.object({
  organization: z.object({ status: z.enum(['active', 'suspended', 'archived']) }),
});

export interface OrganizationClient {
  /**
   * The state of an organization as the bearer of the token may see it.
   * @returns undefined where there is none for them
   * @throws OutboundError
   */
  statusOf: (
    organizationId: string,
    authorization: string,
    options: { timeoutMs: number },
  ) => Promise<z.infer<typeof answer>['organization']['status'] | undefined>;
  /**
   * Whether the bearer's token still counts there.
   * @throws OutboundError
   */
  admits: (authorization: string, options: { timeoutMs: number }) => Promise<boolean>;
}

export const createOrganizationClient = (settings: { baseUrl: string }): OrganizationClient => ({
  async statusOf(organizationId, authorization, options) {
    const response = await exchange({
      party,
      method: 'GET',
      resource: 'organization',
      url: `${settings.baseUrl}/v1/organizations/${encodeURIComponent(organizationId)}`,
      headers: { authorization },
      ...options,
    });
    if (response.status === 404) return undefined;
    return parseAnswer(party, response, answer).organization.status;
  },

  async admits(authorization, options) {
    const response = await exchange({
      party,
      method: 'GET',
      resource: 'organization',
      url: `${settings.baseUrl}/v1/organizations?limit=1`,
      headers: { authorization },
      ...options,
    });
    if (response.status === 401) return false;
    expectOk(party, response);
    return true;
  },
});
