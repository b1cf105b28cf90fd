import type { ServiceRoutes } from '../context.js';
import { registerAdmin } from '../plugins/admin.js';
import { registerOutboxWorkers } from '../plugins/outbox-workers.js';
import { registerSigned } from '../plugins/signed.js';
import { registerWorkItemAnswers } from '../plugins/work-items.js';
import { admitsAdmin } from './authorize.js';
import { answersOf } from './answers.js';
import { adminUserRoutes } from './admin-user-routes.js';
import { auditRoutes } from './audit-routes.js';
import { authRoutes } from './auth-routes.js';
import { deskSignInRoutes } from './desk-sign-in-routes.js';
import { domainRoutes } from './domain-routes.js';
import { membershipRoutes } from './membership-routes.js';
import { organizationRoutes as tenantRoutes } from './organization-routes.js';
import { resolverRoutes, settingsRoutes } from './settings-routes.js';

/** The organization service (page 3, Organization service). */
export const organizationRoutes: ServiceRoutes = async (app, context) => {
  await registerWorkItemAnswers(app, context, {
    schema: 'organization',
    path: '/work-items',
    encryptionKeys: context.config.service('organization').SECRET_ENCRYPTION_KEYS,
    handlers: answersOf(context),
  });
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = context.config.service('organization');
  await registerSigned(app, context, { scope: 'worklist', encryptionKeys }, (signed) => {
    deskSignInRoutes(signed, context);
  });
  await registerAdmin(app, context, { admits: admitsAdmin(context) }, (admin) => {
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
};
