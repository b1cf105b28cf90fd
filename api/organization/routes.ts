import type { ServiceRoutes } from '../context.js';
import { registerAdmin } from '../plugins/admin.js';
import { registerOutboxWorkers } from '../plugins/outbox-workers.js';
import { knownVersion } from './access.js';
import { adminUserRoutes } from './admin-users.js';
import { auditRoutes } from './audit.js';
import { authRoutes } from './auth.js';
import { domainRoutes } from './domains.js';
import { membershipRoutes } from './memberships.js';
import { organizationRoutes as tenantRoutes } from './organizations.js';
import { resolverRoutes } from './resolver.js';
import { settingsRoutes } from './settings.js';

/** The organization service (page 3). */
export const organizationRoutes: ServiceRoutes = (app, context) =>
  registerAdmin(app, context, { knownVersion: knownVersion(context) }, (admin) => {
    tenantRoutes(admin, context);
    settingsRoutes(admin, context);
    domainRoutes(admin, context);
    adminUserRoutes(admin, context);
    membershipRoutes(admin, context);
    authRoutes(admin, context);
    resolverRoutes(admin, context);
    auditRoutes(admin, context);
    registerOutboxWorkers(admin, context, 'organization', '/v1');
  });
