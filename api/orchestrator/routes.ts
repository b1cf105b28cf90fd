import { apartByClient } from './whose.js';
import type { ServiceRoutes } from '../context.js';
import { registerSigned } from '../plugins/signed.js';
import { registerWorkItemAnswers } from '../plugins/work-items.js';
import { answersOf } from './answers.js';
import { approvalRoutes } from './approval-routes.js';
import { callbackRoutes } from './callback-routes.js';
import { clockRoutes } from './clock-routes.js';
import { eventEndpointRoutes } from './event-endpoint-routes.js';
import { eventRoutes } from './event-routes.js';
import { closeRoutes } from './close-routes.js';
import { exceptionRoutes } from './exception-routes.js';
import { itemContextRoutes } from './item-context-routes.js';
import { medicationRoutes } from './medication-routes.js';
import { monthRoutes } from './month-routes.js';
import { notePersons } from './on-behalf-of.js';
import { operatorRoutes } from './operator-routes.js';
import { orderRoutes } from './order-routes.js';
import { paymentLinkRoutes } from './payment-link-routes.js';
import { planRoutes } from './plan-routes.js';
import { priceRoutes } from './price-routes.js';
import { recoveryRoutes } from './bulk-retry-routes.js';
import { refillChangeRoutes } from './refill-change-routes.js';
import { refillRoutes } from './refill-routes.js';
import { statementRoutes } from './statement-routes.js';
import { searchRoutes } from './search-routes.js';
import { stripeWebhookRoutes } from './stripe-webhook-routes.js';
import { timelineRoutes } from './timeline-routes.js';

/** The prescription orchestrator (page 1, Orchestrator). */
export const orchestratorRoutes: ServiceRoutes = async (app, context) => {
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = context.config.service('orchestrator');
  await registerSigned(app, context, { scope: 'orchestrator', encryptionKeys }, (signed) => {
    apartByClient(signed);
    notePersons(signed);
    approvalRoutes(signed, context);
    exceptionRoutes(signed, context);
    refillRoutes(signed, context);
    refillChangeRoutes(signed, context);
    planRoutes(signed, context);
    medicationRoutes(signed, context);
    clockRoutes(signed, context);
    eventRoutes(signed, context);
    eventEndpointRoutes(signed, context);
    closeRoutes(signed, context);
    statementRoutes(signed, context);
    priceRoutes(signed, context);
    operatorRoutes(signed, context);
    recoveryRoutes(signed, context);
  });
  // The intake gateway's key reaches only these routes.
  await registerSigned(app, context, { scope: 'payments', encryptionKeys }, (signed) => {
    paymentLinkRoutes(signed, context);
  });
  // The worklist's key reaches only the timeline.
  await registerSigned(app, context, { scope: ['orchestrator', 'timeline'], encryptionKeys }, (signed) => {
    apartByClient(signed);
    timelineRoutes(signed, context);
  });
  await registerSigned(app, context, { scope: 'worklist', encryptionKeys }, (signed) => {
    apartByClient(signed);
    itemContextRoutes(signed, context);
    monthRoutes(signed, context);
    orderRoutes(signed, context);
    searchRoutes(signed, context);
  });
  await registerWorkItemAnswers(app, context, {
    schema: 'orchestrator',
    path: '/orchestrator/work-items',
    encryptionKeys,
    handlers: answersOf(context),
  });
  await callbackRoutes(app, context);
  await stripeWebhookRoutes(app, context);
};
