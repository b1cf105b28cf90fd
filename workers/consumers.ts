import type { EventHandler } from '../activities/events.js';
import { refuse } from '../activities/failures.js';
import { noteVersion } from '../db/admin-sessions.js';
import { keepToldStatus } from '../db/patients/organizations.js';
import type { EventEnvelope, EventSubscriber, SubscribedType } from '../domain/events.js';
import { failureTypes } from '../domain/failures.js';
import { type OrganizationStatus, organizationStatuses } from '../domain/patient-directory.js';
import { z } from 'zod';
import type { ServiceName } from '../platform/config.js';
import type { WorkerContext } from './context.js';
import { notificationHandlers } from './notification-events.js';
import { organizationHandlers } from './organization-events.js';

type Handlers<S extends EventSubscriber> = Record<SubscribedType<S>, EventHandler>;

/** What each subscriber does with the events it subscribes to (domain/events.ts). */
const subscribers: { [S in EventSubscriber]: (context: WorkerContext) => Handlers<S> } = {
  notification: (context) => ({
    ...notificationHandlers(context),
    ...sessionHandlers(context, 'notification'),
  }),
  intake: (context) => sessionHandlers(context, 'intake'),
  patients: (context) => ({
    ...organizationHandlers(context),
    ...sessionHandlers(context, 'patients'),
  }),
  organization: organizationHandlers,
  bridge: (context) => ({ 'patient.archived': notYet, ...sessionHandlers(context, 'bridge') }),
  orchestrator: () => ({
    'emr.medication_request.activated': notYet,
    'intake.payment_profile_saved': notYet,
  }),
  router: () => ({ 'emr.medication_dispense.completed': notYet }),
};

/** One subscriber as the one function that takes its events. */
export function consumerOf(subscriber: EventSubscriber, context: WorkerContext): EventHandler {
  const handlers: Readonly<Record<string, EventHandler>> = subscribers[subscriber](context);
  return async (event) => {
    const handle = handlers[event.detailType];
    if (!handle) throw new Error(`${subscriber} does not know ${event.detailType}`);
    await handle(event);
  };
}

const endedSessions = z.object({ adminUserId: z.string(), ver: z.number().int() });

/** Tokens issued before a revocation are refused from now on (D72). Idempotent: the highest counter counts. */
function sessionHandlers({ sql }: WorkerContext, schema: ServiceName) {
  const end = async ({ detail }: EventEnvelope) => {
    const { adminUserId, ver } = endedSessions.parse(detail);
    await noteVersion(sql, schema, { adminId: adminUserId, ver });
  };
  return { 'admin.membership_revoked': end, 'admin.user_suspended': end };
}

const organizationDetail = z.object({
  organizationId: z.uuid(),
  status: z.enum(organizationStatuses).optional(),
});

/**
 * The states of organizations as the patient directory goes by them (D73). Idempotent: an older event changes nothing.
 */
function organizationHandlers({ sql }: WorkerContext) {
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

const notYet: EventHandler = async () => undefined;
