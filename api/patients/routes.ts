import { settleOrphan } from '../../db/patients/orphans.js';
import { createOrganizationClient } from '../../integrations/organization/client.js';
import type { ServiceRoutes } from '../context.js';
import { registerAdmin } from '../plugins/admin.js';
import { admitsKnown } from '../plugins/admin-sessions.js';
import { registerOutboxWorkers } from '../plugins/outbox-workers.js';
import { registerWorkItemAnswers } from '../plugins/work-items.js';
import { acceptBytes } from '../plugins/strict-json.js';
import { deskRoutes } from './desk-routes.js';
import { directoryRoutes } from './directory-routes.js';
import { erasureRoutes } from './erasure-routes.js';
import { orphanRoutes } from './orphan-routes.js';
import { snapshotRoutes } from './snapshot-routes.js';

/** The patient directory (page 3, Patient directory). */
export const patientsRoutes: ServiceRoutes = async (app, context) => {
  const organizations = createOrganizationClient({
    baseUrl: context.config.service('patients').ORGANIZATION_URL,
  });
  await registerWorkItemAnswers(app, context, {
    schema: 'patients',
    path: '/work-items',
    encryptionKeys: context.config.service('patients').SECRET_ENCRYPTION_KEYS,
    handlers: {
      orphan_patient: {
        settle: async ({ item: { fact: id }, by }) =>
          (await settleOrphan(context.sql, 'all', { id, settledBy: by })) ? null : 'The orphan is gone',
      },
    },
  });
  await deskRoutes(app, context);
  await registerAdmin(app, context, { admits: admitsKnown(context, 'patients') }, (admin) => {
    // Snapshots keep the payload byte for byte (D7).
    acceptBytes(admin);
    directoryRoutes(admin, context, organizations);
    snapshotRoutes(admin, context);
    orphanRoutes(admin, context);
    erasureRoutes(admin, context);
    registerOutboxWorkers(admin, context, 'patients', '/v1');
  });
};
