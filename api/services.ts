import type { StoringService } from '../platform/service-names.js';
import type { Context, Service } from './context.js';
import { bridgeRoutes } from './bridge/routes.js';
import { codecRoutes } from './codec/routes.js';
import { intakeRoutes } from './intake/routes.js';
import { notificationRoutes } from './notification/routes.js';
import { orchestratorRoutes } from './orchestrator/routes.js';
import { organizationRoutes } from './organization/routes.js';
import { patientsRoutes } from './patients/routes.js';
import { dependencies as probes } from './plugins/health.js';
import { registryRoutes } from './registry/routes.js';
import { routerRoutes } from './router/routes.js';
import { worklistRoutes } from './worklist/routes.js';

/** The nine services and the codec server at a glance. */
export const services: Record<StoringService, Service> & Record<'codec', Service<Context>> = {
  router: {
    title: 'Pharmacy router',
    healthName: 'pharmacy-router',
    healthPaths: ['/rx/health'],
    errorShape: 'fieldErrors',
    probes,
    routes: routerRoutes,
  },
  orchestrator: {
    title: 'Prescription orchestrator',
    healthName: 'prescription-orchestrator',
    healthPaths: ['/health', '/orchestrator/health'],
    errorShape: 'issues',
    probes,
    routes: orchestratorRoutes,
  },
  registry: {
    title: 'Physician registry',
    healthName: 'physician-registry',
    healthPaths: ['/health'],
    errorShape: 'issues',
    probes,
    routes: registryRoutes,
  },
  intake: {
    title: 'Intake gateway',
    healthName: 'intake-gateway',
    healthPaths: ['/health'],
    errorShape: 'fieldErrors',
    probes,
    routes: intakeRoutes,
  },
  notification: {
    title: 'Notification service',
    healthName: 'notification-service',
    healthPaths: ['/notify/health'],
    errorShape: 'issues',
    probes,
    routes: notificationRoutes,
  },
  organization: {
    title: 'Organization service',
    healthName: 'organization-service',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: organizationRoutes,
  },
  patients: {
    title: 'Patient directory',
    healthName: 'patient-directory',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: patientsRoutes,
  },
  bridge: {
    title: 'EMR bridge',
    healthName: 'emr-bridge',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: bridgeRoutes,
  },
  worklist: {
    title: 'Worklist',
    healthName: 'worklist',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: worklistRoutes,
  },
  codec: {
    title: 'Codec server',
    healthName: 'codec-server',
    healthPaths: ['/health'],
    errorShape: 'issues',
    routes: codecRoutes,
  },
};
