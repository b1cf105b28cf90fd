import { z } from 'zod';
import { refuse } from '../../activities/failures.js';
import { keepToldStatus } from '../../db/patients/organizations.js';
import type { EventEnvelope } from '../../domain/events.js';
import { failureTypes } from '../../domain/failures.js';
import { type OrganizationStatus, organizationStatuses } from '../../domain/patients/patient-directory.js';
import type { WorkerContext } from '../context.js';

const organizationDetail = z.object({
  organizationId: z.uuid(),
  status: z.enum(organizationStatuses).optional(),
});

/**
 * The states of organizations as the patient directory goes by them (D73). Idempotent: an older event changes nothing.
 */
export function organizationStateHandlers({ sql }: WorkerContext) {
  const keep =
    (implied: OrganizationStatus | undefined) =>
    async ({ detail, time: at }: EventEnvelope) => {
      const parsed = organizationDetail.safeParse(detail);
      if (!parsed.success) throw refuse(failureTypes.rejected, 'The event tells of no organization');
      const { organizationId, status = implied } = parsed.data;
      if (status !== undefined) await keepToldStatus(sql, { organizationId, status, at });
    };
  return {
    'organization.created': keep('active'),
    // Of a reactivation too (D74), which its status tells from any other change.
    'organization.updated': keep(undefined),
    'organization.suspended': keep('suspended'),
    'organization.archived': keep('archived'),
  };
}
