import type { StoringService } from '../platform/service-names.js';
import type { Context, Service } from './context.js';
import { callbackWebhooks, endpointWebhooks, eventWebhooks } from './openapi/webhooks.js';
import { dependencies as probes } from './plugins/health.js';

/** The nine services and the codec server. A process loads the routes of the services it hosts. */
export const services: Record<StoringService, Service> & Record<'codec', Service<Context>> = {
  router: {
    title: 'Pharmacy router',
    description:
      "Sends prescriptions to the pharmacy that serves the patient's state, follows the orders, and sends callbacks to the client.",
    webhooks: callbackWebhooks,
    healthName: 'pharmacy-router',
    healthPaths: ['/rx/health'],
    errorShape: 'fieldErrors',
    probes,
    routes: async (app, context) => (await import('./router/routes.js')).routerRoutes(app, context),
  },
  orchestrator: {
    title: 'Prescription orchestrator',
    description: 'Runs the seven steps of an approved prescription, and sends refills by schedule.',
    webhooks: endpointWebhooks,
    healthName: 'prescription-orchestrator',
    healthPaths: ['/health', '/orchestrator/health'],
    errorShape: 'issues',
    probes,
    routes: async (app, context) =>
      (await import('./orchestrator/routes.js')).orchestratorRoutes(app, context),
  },
  registry: {
    title: 'Physician registry',
    description: 'Stores physicians and their licenses, and finds the prescriber for a state.',
    healthName: 'physician-registry',
    healthPaths: ['/health'],
    errorShape: 'issues',
    probes,
    routes: async (app, context) => (await import('./registry/routes.js')).registryRoutes(app, context),
  },
  intake: {
    title: 'Intake gateway',
    description: 'Receives intakes of new patients, verifies their e-mail address, and saves their card.',
    healthName: 'intake-gateway',
    healthPaths: ['/health'],
    errorShape: 'fieldErrors',
    probes,
    routes: async (app, context) => (await import('./intake/routes.js')).intakeRoutes(app, context),
  },
  notification: {
    title: 'Notification service',
    description: 'Sends e-mails and text messages from templates, and keeps a log of them.',
    healthName: 'notification-service',
    healthPaths: ['/notify/health'],
    errorShape: 'issues',
    probes,
    routes: async (app, context) =>
      (await import('./notification/routes.js')).notificationRoutes(app, context),
  },
  organization: {
    title: 'Organization service',
    description: 'Stores organizations, their admins, and their hostnames.',
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
    description: 'Maps patients to their ids in our systems and in external ones.',
    webhooks: eventWebhooks,
    healthName: 'patient-directory',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: async (app, context) => (await import('./patients/routes.js')).patientsRoutes(app, context),
  },
  bridge: {
    title: 'EMR bridge',
    description: 'Receives events from the EMR, and writes changes back to it.',
    webhooks: eventWebhooks,
    healthName: 'emr-bridge',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: async (app, context) => (await import('./bridge/routes.js')).bridgeRoutes(app, context),
  },
  worklist: {
    title: 'Worklist',
    description: 'Collects the work items of all services in one list, and receives the answers.',
    healthName: 'worklist',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: async (app, context) => (await import('./worklist/routes.js')).worklistRoutes(app, context),
  },
  codec: {
    title: 'Codec server',
    description: 'Decrypts Temporal payloads for authorized operators in the Web UI.',
    healthName: 'codec-server',
    healthPaths: ['/health'],
    errorShape: 'issues',
    routes: async (app, context) => (await import('./codec/routes.js')).codecRoutes(app, context),
  },
};
