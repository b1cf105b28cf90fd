import type { ServiceRoutes } from '../context.js';
import { registerSigned } from '../plugins/signed.js';
import { approvalRoutes } from './approval-routes.js';
import { callbackRoutes } from './callback-routes.js';
import { exceptionRoutes } from './exception-routes.js';
import { operatorRoutes } from './operator-routes.js';
import { refillRoutes } from './refill-routes.js';

/** The prescription orchestrator (page 1, Orchestrator). */
export const orchestratorRoutes: ServiceRoutes = async (app, context) => {
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = context.config.service('orchestrator');
  await registerSigned(app, context, { scope: 'orchestrator', encryptionKeys }, (signed) => {
    approvalRoutes(signed, context);
    exceptionRoutes(signed, context);
    refillRoutes(signed, context);
    operatorRoutes(signed, context);
  });
  await callbackRoutes(app, context);
};
