import type { Sql } from '../../db/client.js';
import type { Actor } from '../../domain/organization/actor.js';
import {
  claimDiscard,
  forgetCreation,
  type NewOrganization,
  storeOrganization,
} from '../../db/organization/creations.js';
import { isRefused } from '../../domain/organization/organizations.js';
import type { EmrOrganizations } from '../../integrations/emr/organizations.js';
import { calling, callingUntilAccepted, callLimits } from '../calls.js';

export interface CreationRequest extends NewOrganization {
  by: Actor;
}

export const createCreationActivities = ({ sql, emr }: { sql: Sql; emr: EmrOrganizations }) => {
  /** Several calls share the limits of one. */
  const limits = () => {
    const { timeoutMs, signal } = callLimits();
    return { timeoutMs, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) };
  };

  return {
    /**
     * Finds or creates the EMR's organization for ours. It looks before and after a conditional create, since two
     * servers may have created one each (reliability point 3). Safe to retry: the identifier is our organization's
     * id.
     * @throws Rejected, Unavailable
     */
    async ensureEmrOrganization(organization: {
      organizationId: string;
      displayName: string;
    }): Promise<{ emrOrganizationId: string }> {
      const { organizationId, displayName: name } = organization;
      return calling(async () => {
        const options = limits();
        const before = await emr.find(organizationId, options);
        const found = before.length > 0 ? before : await make();
        const [kept, ...more] = found;
        if (!kept) throw new Error('The EMR does not find what it has made');
        for (const { id } of more) await emr.remove(id, options);
        if (kept.name !== name) await emr.rename({ id: kept.id, organizationId, name }, options);
        return { emrOrganizationId: kept.id };

        async function make() {
          const made = await emr.create({ organizationId, name }, options);
          const after = await emr.find(organizationId, options);
          return after.length > 0 || !made ? after : [made];
        }
      });
    },

    /**
     * Stores the organization with its event, in place of the creation's entry. Safe to retry: a stored organization
     * stays as it is.
     * @returns why not, when the slug is taken or the creation was given up meanwhile
     */
    async storeOrganization({
      by,
      ...organization
    }: CreationRequest & { emrOrganizationId: string }): Promise<{ refused: string | null }> {
      const stored = await storeOrganization(sql, organization, by);
      return { refused: isRefused(stored) ? stored.why : null };
    },

    /**
     * Claims a given-up organization, so that no run resumes it. Safe to retry: the claim stays.
     * @returns false when a run has resumed it
     */
    claimOrganizationDiscard: ({ organizationId }: { organizationId: string }) =>
      claimDiscard(sql, organizationId),

    /** Deletes the organization in the EMR. Safe to retry: a deleted one is not found. @throws Unavailable */
    async deleteEmrOrganization({ organizationId }: { organizationId: string }): Promise<void> {
      await callingUntilAccepted(async () => {
        const options = limits();
        for (const { id } of await emr.find(organizationId, options)) await emr.remove(id, options);
      });
    },

    /** Deletes the creation's entry. Safe to retry: a deleted entry stays so. */
    forgetOrganizationCreation: ({ organizationId }: { organizationId: string }) =>
      forgetCreation(sql, organizationId),
  };
};

export type CreationActivities = ReturnType<typeof createCreationActivities>;
