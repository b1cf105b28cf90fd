import { highestKnownVersion } from '../../db/admin-sessions.js';
import { createOrganizationClient } from '../../integrations/organization/client.js';
import type { App, ServiceRoutes } from '../context.js';
import { registerAdmin } from '../plugins/admin.js';
import { registerOutboxWorkers } from '../plugins/outbox-workers.js';
import { readJsonBody } from '../plugins/strict-json.js';
import { directoryRoutes } from './directory-routes.js';
import { orphanRoutes } from './orphan-routes.js';
import { snapshotRoutes } from './snapshot-routes.js';

/** The patient directory (page 3, Patient directory). */
export const patientsRoutes: ServiceRoutes = async (app, context) => {
  const knownVersion = (adminId: string) => highestKnownVersion(context.sql, 'patients', adminId);
  const organizations = createOrganizationClient({
    baseUrl: context.config.service('patients').ORGANIZATION_URL,
  });
  await registerAdmin(app, context, { knownVersion }, (admin) => {
    keepRawBody(admin);
    directoryRoutes(admin, context, organizations);
    snapshotRoutes(admin, context);
    orphanRoutes(admin, context);
    registerOutboxWorkers(admin, context, 'patients', '/v1');
  });
};

/** JSON as everywhere, with the bytes it came in: a snapshot is cut out of them (D7). */
function keepRawBody(admin: App): void {
  admin.removeAllContentTypeParsers();
  admin.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer;
    try {
      done(null, readJsonBody(request, request.rawBody));
    } catch (error) {
      done(error as Error);
    }
  });
}
