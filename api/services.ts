import type { StoringService } from '../platform/config.js';
import type { Context, ServiceContext, ServiceRoutes } from './context.js';
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

/** The shape of a validation error (D5): one object per field, a list of issues, or a code with details. */
export type ErrorShape = 'fieldErrors' | 'issues' | 'code';

export interface Service<C extends Context = ServiceContext> {
  title: string;
  /** The name `health` answers with, and where (D2). */
  healthName: string;
  healthPaths: readonly string[];
  errorShape: ErrorShape;
  /** What `/ready` looks at: nothing where a service depends on nothing. */
  probes?: (context: C) => Partial<Record<'postgres' | 'temporal', () => Promise<unknown>>>;
  routes: ServiceRoutes<C>;
}

/** The eight services and the codec server at a glance. */
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
  codec: {
    title: 'Codec server',
    healthName: 'codec-server',
    healthPaths: ['/health'],
    errorShape: 'issues',
    routes: codecRoutes,
  },
};
