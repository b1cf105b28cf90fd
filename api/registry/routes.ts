import type { ServiceRoutes } from '../context.js';
import { registerSigned } from '../plugins/signed.js';
import { licenseRoutes } from './license-routes.js';
import { ownProfileRoutes } from './own-profile-routes.js';
import { physicianRoutes } from './physician-routes.js';
import { routingRoutes } from './routing-routes.js';

/** The physician registry (page 1, Registry resources). */
export const registryRoutes: ServiceRoutes = async (app, context) => {
  const encryptionKeys = context.config.service('registry').SECRET_ENCRYPTION_KEYS;
  await registerSigned(app, context, { scope: 'registry', encryptionKeys }, (signed) => {
    physicianRoutes(signed, context);
    licenseRoutes(signed, context);
    ownProfileRoutes(signed, context);
    routingRoutes(signed, context);
  });
};
