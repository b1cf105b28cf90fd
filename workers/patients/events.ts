import { z } from 'zod';
import { detailOf, type EventHandler, type Handlers } from '../../activities/events/deliveries.js';
import { keepPublishedStatus } from '../../db/patients/organizations.js';
import { type OrganizationStatus, organizationStatuses } from '../../domain/patients/patient-directory.js';
import type { WorkerContext } from '../context.js';
import { sessionEvents } from '../ended-sessions.js';

const organizationDetail = z.object({
  organizationId: z.uuid(),
  status: z.enum(organizationStatuses).optional(),
});

/** Records the states of organizations (D73). Idempotent: an older event changes nothing. */
export function patientsEvents(context: WorkerContext): Handlers<'patients'> {
  const keep =
    (implied: OrganizationStatus | undefined): EventHandler =>
    async (event) => {
      const { organizationId, status = implied } = detailOf(event, organizationDetail);
      if (status !== undefined)
        await keepPublishedStatus(context.sql, { organizationId, status, at: event.time });
    };
  return {
    ...sessionEvents(context, 'patients'),
    'organization.created': keep('active'),
    // Covers a reactivation too (D74): the event carries the new status.
    'organization.updated': keep(undefined),
    'organization.suspended': keep('suspended'),
    'organization.archived': keep('archived'),
  };
}
