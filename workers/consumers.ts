import type { EventHandler } from '../activities/events/deliveries.js';
import { noteVersion } from '../db/admin-sessions.js';
import type { EventEnvelope, EventSubscriber, SubscribedType } from '../domain/events.js';
import { z } from 'zod';
import type { ServiceName } from '../platform/config.js';
import { consumeDispenseCompleted } from './router/events.js';
import { consumeRequestActivated } from './orchestrator/consume-request-activated.js';
import { consumePatientArchived } from './bridge/events.js';
import type { WorkerContext } from './context.js';
import { notificationHandlers } from './notification/events.js';
import { organizationHandlers } from './organization/events.js';
import { organizationStateHandlers } from './patients/events.js';
import { savePaymentProfile } from './orchestrator/save-payment-profile.js';

type Handlers<S extends EventSubscriber> = Record<SubscribedType<S>, EventHandler>;

/** What each subscriber does with the events it subscribes to (domain/events.ts). */
const subscribers: { [S in EventSubscriber]: (context: WorkerContext) => Handlers<S> } = {
  notification: (context) => ({
    ...notificationHandlers(context),
    ...sessionHandlers(context, 'notification'),
  }),
  intake: (context) => sessionHandlers(context, 'intake'),
  patients: (context) => ({
    ...organizationStateHandlers(context),
    ...sessionHandlers(context, 'patients'),
  }),
  organization: organizationHandlers,
  bridge: (context) => ({
    'patient.archived': consumePatientArchived(context),
    ...sessionHandlers(context, 'bridge'),
  }),
  orchestrator: (context) => ({
    'emr.medication_request.activated': consumeRequestActivated(context),
    'intake.payment_profile_saved': savePaymentProfile(context.sql),
  }),
  router: (context) => ({ 'emr.medication_dispense.completed': consumeDispenseCompleted(context) }),
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
