import type { ServiceRoutes } from '../context.js';
import { registerSigned } from '../plugins/signed.js';
import { approvalRoutes } from './approvals.js';
import { callbackRoutes } from './callback.js';
import { operatorRoutes } from './operators.js';
import { refillRoutes } from './refills.js';

/** Page 1, Orchestrator. */
export const orchestratorRoutes: ServiceRoutes = async (app, context) => {
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = context.config.service('orchestrator');
  await registerSigned(app, context, { scope: 'orchestrator', encryptionKeys }, (signed) => {
    approvalRoutes(signed, context);
    refillRoutes(signed, context);
    operatorRoutes(signed, context);
  });
  await callbackRoutes(app, context);
};
