import { highestKnownVersion } from '../../db/admin-sessions.js';
import { createOrganizationClient } from '../../integrations/organization/client.js';
import type { ServiceRoutes } from '../context.js';
import { registerAdmin } from '../plugins/admin.js';
import { registerSigned } from '../plugins/signed.js';
import { deskRoutes } from './desk-routes.js';
import { itemRoutes } from './item-routes.js';
import { whose } from './people.js';
import { signInRoutes } from './sign-in-routes.js';
import { stuckRoutes } from './stuck-routes.js';
import { timelinePartRoutes, timelineRoutes } from './timeline-routes.js';

/** The worklist: what needs a person, of all services (D109). */
export const worklistRoutes: ServiceRoutes = async (app, context) => {
  deskRoutes(app);
  const people = createOrganizationClient({ baseUrl: context.config.service('worklist').ORGANIZATION_URL });
  const knownVersion = highestKnownVersion(context.sql, 'worklist');
  await registerAdmin(app, context, { knownVersion }, (admin) => {
    signInRoutes(admin, context, people);
    itemRoutes(admin, context, whose(people));
    stuckRoutes(admin, context);
    timelineRoutes(admin, context);
  });
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = context.config.service('worklist');
  await registerSigned(app, context, { scope: 'timeline', encryptionKeys }, (signed) => {
    timelinePartRoutes(signed, context);
  });
};
