import type { ServiceRoutes } from '../context.js';
import { registerSigned } from '../plugins/signed.js';
import { registerWorkItemAnswers } from '../plugins/work-items.js';
import { answersOf } from './answers.js';
import { callbackRoutes } from './callback-routes.js';
import { catalogRoutes } from './catalog-routes.js';
import { holdRoutes } from './hold-routes.js';
import { itemContextRoutes } from './item-context-routes.js';
import { searchRoutes } from './search-routes.js';
import { prescriptionRoutes } from './prescription-routes.js';
import { shippedRoutes } from './shipped-routes.js';
import { routingRoutes } from './routing-routes.js';
import { timelineRoutes } from './timeline-routes.js';
import { webhookLogRoutes, webhookRoutes } from './webhook-routes.js';

/** The pharmacy router (page 1, Router). */
export const routerRoutes: ServiceRoutes = async (app, context) => {
  const encryptionKeys = context.config.service('router').SECRET_ENCRYPTION_KEYS;
  await registerSigned(app, context, { scope: 'router', encryptionKeys }, (signed) => {
    prescriptionRoutes(signed, context);
    holdRoutes(signed, context);
    callbackRoutes(signed, context);
    routingRoutes(signed, context);
    catalogRoutes(signed, context);
    shippedRoutes(signed, context);
    timelineRoutes(signed, context);
    webhookLogRoutes(signed, context);
  });
  await registerSigned(app, context, { scope: 'worklist', encryptionKeys }, (signed) => {
    itemContextRoutes(signed, context);
    searchRoutes(signed, context);
  });
  await registerWorkItemAnswers(app, context, {
    schema: 'router',
    path: '/rx/work-items',
    encryptionKeys,
    handlers: answersOf(context),
  });
  await webhookRoutes(app, context);
};
