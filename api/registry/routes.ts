import type { ServiceRoutes } from '../context.js';
import { registerSigned } from '../plugins/signed.js';
import { administration } from './administration-routes.js';
import { ownProfile } from './own-profile-routes.js';
import { reads } from './read-routes.js';
import { routingRules } from './routing-rule-routes.js';

/** The physician registry (page 1, Registry resources). */
export const registryRoutes: ServiceRoutes = async (app, context) => {
  const encryptionKeys = context.config.service('registry').SECRET_ENCRYPTION_KEYS;
  await registerSigned(app, context, { scope: 'registry', encryptionKeys }, (signed) => {
    reads(signed, context);
    ownProfile(signed, context);
    administration(signed, context);
    routingRules(signed, context);
  });
};
