import type { StoringService } from '../platform/service-names.js';
import type { Context, Service } from './context.js';
import { callbackWebhooks, eventWebhooks } from './openapi/webhooks.js';
import { dependencies as probes } from './plugins/health.js';

/** The nine services and the codec server at a glance. A service's routes are loaded where it is hosted. */
export const services: Record<StoringService, Service> & Record<'codec', Service<Context>> = {
  router: {
    title: 'Pharmacy router',
    description:
      "Sends prescriptions to the pharmacy that serves the patient's state, follows their orders, and tells the client of them.",
    webhooks: callbackWebhooks,
    healthName: 'pharmacy-router',
    healthPaths: ['/rx/health'],
    errorShape: 'fieldErrors',
    probes,
    routes: async (app, context) => (await import('./router/routes.js')).routerRoutes(app, context),
  },
  orchestrator: {
    title: 'Prescription orchestrator',
    description:
      'Carries an approved prescription through its seven steps, and fills it again when its schedule says so.',
    healthName: 'prescription-orchestrator',
    healthPaths: ['/health', '/orchestrator/health'],
    errorShape: 'issues',
    probes,
    routes: async (app, context) =>
      (await import('./orchestrator/routes.js')).orchestratorRoutes(app, context),
  },
  registry: {
    title: 'Physician registry',
    description: 'Keeps physicians and their licenses, and says who prescribes where.',
    healthName: 'physician-registry',
    healthPaths: ['/health'],
    errorShape: 'issues',
    probes,
    routes: async (app, context) => (await import('./registry/routes.js')).registryRoutes(app, context),
  },
  intake: {
    title: 'Intake gateway',
    description:
      'Takes intakes from patients who are nobody known yet, with their proof of address and their card.',
    healthName: 'intake-gateway',
    healthPaths: ['/health'],
    errorShape: 'fieldErrors',
    probes,
    routes: async (app, context) => (await import('./intake/routes.js')).intakeRoutes(app, context),
  },
  notification: {
    title: 'Notification service',
    description: 'Sends mails and text messages by templates, and keeps what was sent to whom.',
    healthName: 'notification-service',
    healthPaths: ['/notify/health'],
    errorShape: 'issues',
    probes,
    routes: async (app, context) =>
      (await import('./notification/routes.js')).notificationRoutes(app, context),
  },
  organization: {
    title: 'Organization service',
    description: 'Keeps organizations, those who administer them, and whose hostnames are whose.',
    webhooks: eventWebhooks,
    healthName: 'organization-service',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: async (app, context) =>
      (await import('./organization/routes.js')).organizationRoutes(app, context),
  },
  patients: {
    title: 'Patient directory',
    description: 'Keeps which patient is which, in our systems and in those of others.',
    webhooks: eventWebhooks,
    healthName: 'patient-directory',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: async (app, context) => (await import('./patients/routes.js')).patientsRoutes(app, context),
  },
  bridge: {
    title: 'EMR bridge',
    description: 'Takes what the EMR tells us, and writes back what it has to know.',
    webhooks: eventWebhooks,
    healthName: 'emr-bridge',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: async (app, context) => (await import('./bridge/routes.js')).bridgeRoutes(app, context),
  },
  worklist: {
    title: 'Worklist',
    description: 'Keeps what waits for a person, of all services in one list, and takes the answers.',
    healthName: 'worklist',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: async (app, context) => (await import('./worklist/routes.js')).worklistRoutes(app, context),
  },
  codec: {
    title: 'Codec server',
    description: 'Shows an authorised operator in the Web UI what is encrypted in Temporal.',
    healthName: 'codec-server',
    healthPaths: ['/health'],
    errorShape: 'issues',
    routes: async (app, context) => (await import('./codec/routes.js')).codecRoutes(app, context),
  },
};
