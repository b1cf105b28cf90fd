import type { StoringService } from '../platform/service-names.js';
import type { Context, Service } from './context.js';
import { dependencies as probes } from './plugins/health.js';

/** The nine services and the codec server at a glance. A service's routes are loaded where it is hosted. */
export const services: Record<StoringService, Service> & Record<'codec', Service<Context>> = {
  router: {
    title: 'Pharmacy router',
    healthName: 'pharmacy-router',
    healthPaths: ['/rx/health'],
    errorShape: 'fieldErrors',
    probes,
    routes: async (app, context) => (await import('./router/routes.js')).routerRoutes(app, context),
  },
  orchestrator: {
    title: 'Prescription orchestrator',
    healthName: 'prescription-orchestrator',
    healthPaths: ['/health', '/orchestrator/health'],
    errorShape: 'issues',
    probes,
    routes: async (app, context) =>
      (await import('./orchestrator/routes.js')).orchestratorRoutes(app, context),
  },
  registry: {
    title: 'Physician registry',
    healthName: 'physician-registry',
    healthPaths: ['/health'],
    errorShape: 'issues',
    probes,
    routes: async (app, context) => (await import('./registry/routes.js')).registryRoutes(app, context),
  },
  intake: {
    title: 'Intake gateway',
    healthName: 'intake-gateway',
    healthPaths: ['/health'],
    errorShape: 'fieldErrors',
    probes,
    routes: async (app, context) => (await import('./intake/routes.js')).intakeRoutes(app, context),
  },
  notification: {
    title: 'Notification service',
    healthName: 'notification-service',
    healthPaths: ['/notify/health'],
    errorShape: 'issues',
    probes,
    routes: async (app, context) =>
      (await import('./notification/routes.js')).notificationRoutes(app, context),
  },
  organization: {
    title: 'Organization service',
    healthName: 'organization-service',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: async (app, context) =>
      (await import('./organization/routes.js')).organizationRoutes(app, context),
  },
  patients: {
    title: 'Patient directory',
    healthName: 'patient-directory',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: async (app, context) => (await import('./patients/routes.js')).patientsRoutes(app, context),
  },
  bridge: {
    title: 'EMR bridge',
    healthName: 'emr-bridge',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: async (app, context) => (await import('./bridge/routes.js')).bridgeRoutes(app, context),
  },
  worklist: {
    title: 'Worklist',
    healthName: 'worklist',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: async (app, context) => (await import('./worklist/routes.js')).worklistRoutes(app, context),
  },
  codec: {
    title: 'Codec server',
    healthName: 'codec-server',
    healthPaths: ['/health'],
    errorShape: 'issues',
    routes: async (app, context) => (await import('./codec/routes.js')).codecRoutes(app, context),
  },
};
