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
import { callLimits } from '../call-limits.js';
import { calling } from '../failures.js';

export interface CreationDependencies {
  sql: Sql;
  emr: EmrOrganizations;
}

export interface CreationRequest extends NewOrganization {
  by: Actor;
}

export const createCreationActivities = ({ sql, emr }: CreationDependencies) => {
  /** Several calls within the time that one has. */
  const limits = () => {
    const { timeoutMs, signal } = callLimits();
    return { timeoutMs, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) };
  };

  return {
    /**
     * Finds or makes the EMR's organization for ours: looked for before it is made, made on the condition that there
     * is none, and looked for again, since two servers may have made one each (reliability point 3).
     * @throws Rejected, Unavailable
     *
     * Safe to retry: it is found by its identifier, our organization's id.
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
          return after.length > 0 ? after : [made];
        }
      });
    },

    /**
     * Stores the organization with its event, in place of the note that it was being made.
     * @returns why not, when the slug has been taken or the note given up in the meantime
     *
     * Safe to retry: what was stored before is left as it is.
     */
    async storeOrganization({
      by,
      ...organization
    }: CreationRequest & { emrOrganizationId: string }): Promise<{ refused: string | null }> {
      const stored = await storeOrganization(sql, organization, by);
      return { refused: isRefused(stored) ? stored.why : null };
    },

    /**
     * Makes sure that nobody goes on with an organization that was given up.
     * @returns false when somebody has
     *
     * Safe to retry: the claim is kept.
     */
    async claimOrganizationDiscard({ organizationId }: { organizationId: string }): Promise<boolean> {
      return claimDiscard(sql, organizationId);
    },

    /**
     * Takes back what the EMR may hold of it.
     * @throws Rejected, Unavailable
     *
     * Safe to retry: what is gone is not found.
     */
    async deleteEmrOrganization({ organizationId }: { organizationId: string }): Promise<void> {
      await calling(async () => {
        const options = limits();
        for (const { id } of await emr.find(organizationId, options)) await emr.remove(id, options);
      });
    },

    /** Safe to retry: what is forgotten stays so. */
    async forgetOrganizationCreation({ organizationId }: { organizationId: string }): Promise<void> {
      await forgetCreation(sql, organizationId);
    },
  };
};

export type CreationActivities = ReturnType<typeof createCreationActivities>;
