import type { ServiceRoutes } from '../context.js';
import { registerSigned } from '../plugins/signed.js';
import { registerWorkItemAnswers } from '../plugins/work-items.js';
import { approvalRoutes } from './approval-routes.js';
import { callbackRoutes } from './callback-routes.js';
import { operatorRoutes } from './operator-routes.js';
import { refillRoutes } from './refill-routes.js';

/** The prescription orchestrator (page 1, Orchestrator). */
export const orchestratorRoutes: ServiceRoutes = async (app, context) => {
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = context.config.service('orchestrator');
  await registerSigned(app, context, { scope: 'orchestrator', encryptionKeys }, (signed) => {
    approvalRoutes(signed, context);
    refillRoutes(signed, context);
    operatorRoutes(signed, context);
  });
  await registerWorkItemAnswers(app, context, {
    schema: 'orchestrator',
    path: '/orchestrator/work-items',
    encryptionKeys,
    handlers: {},
  });
  await callbackRoutes(app, context);
};
