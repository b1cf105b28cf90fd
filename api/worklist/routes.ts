import { createOrganizationClient } from '../../integrations/organization/client.js';
import type { ServiceRoutes } from '../context.js';
import { servePageWithFiles } from '../pages.js';
import { registerAdmin } from '../plugins/admin.js';
import { admitsKnown } from '../plugins/admin-sessions.js';
import { registerSigned } from '../plugins/signed.js';
import { itemRoutes, stuckRoutes } from './item-routes.js';
import { monthRoutes } from './month-routes.js';
import { orderRoutes } from './order-routes.js';
import { emailLookup } from './people.js';
import { searchRoutes } from './search-routes.js';
import { signInRoutes } from './sign-in-routes.js';
import { timelinePartRoutes, timelineRoutes } from './timeline-routes.js';

/** The work items of all services (D109), and the desk to answer them at `/` (D110). */
export const worklistRoutes: ServiceRoutes = async (app, context) => {
  const page = new URL('desk.html', import.meta.url);
  servePageWithFiles(app, { page, folder: new URL('desk/', import.meta.url) }, 'the empty page');
  const people = createOrganizationClient({ baseUrl: context.config.service('worklist').ORGANIZATION_URL });
  await registerAdmin(app, context, { admits: admitsKnown(context, 'worklist') }, (admin) => {
    signInRoutes(admin, context);
    const emailOf = emailLookup(people);
    itemRoutes(admin, context, emailOf);
    orderRoutes(admin, context, emailOf);
    searchRoutes(admin, context);
    monthRoutes(admin, context);
    stuckRoutes(admin, context);
    timelineRoutes(admin, context);
  });
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = context.config.service('worklist');
  await registerSigned(app, context, { scope: 'timeline', encryptionKeys }, (signed) => {
    timelinePartRoutes(signed, context);
  });
};
