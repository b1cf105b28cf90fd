import type { StoringService } from '../platform/service-names.js';
import type { Context, Service } from './context.js';
import { bridgeRoutes } from './bridge/routes.js';
import { codecRoutes } from './codec/routes.js';
import { intakeRoutes } from './intake/routes.js';
import { notificationRoutes } from './notification/routes.js';
import { callbackWebhooks, eventWebhooks } from './openapi/webhooks.js';
import { orchestratorRoutes } from './orchestrator/routes.js';
import { organizationRoutes } from './organization/routes.js';
import { patientsRoutes } from './patients/routes.js';
import { dependencies as probes } from './plugins/health.js';
import { registryRoutes } from './registry/routes.js';
import { routerRoutes } from './router/routes.js';

/** The eight services and the codec server at a glance. */
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
    routes: routerRoutes,
  },
  orchestrator: {
    title: 'Prescription orchestrator',
    description:
      'Carries an approved prescription through its seven steps, and fills it again when its schedule says so.',
    healthName: 'prescription-orchestrator',
    healthPaths: ['/health', '/orchestrator/health'],
    errorShape: 'issues',
    probes,
    routes: orchestratorRoutes,
  },
  registry: {
    title: 'Physician registry',
    description: 'Keeps physicians and their licenses, and says who prescribes where.',
    healthName: 'physician-registry',
    healthPaths: ['/health'],
    errorShape: 'issues',
    probes,
    routes: registryRoutes,
  },
  intake: {
    title: 'Intake gateway',
    description:
      'Takes intakes from patients who are nobody known yet, with their proof of address and their card.',
    healthName: 'intake-gateway',
    healthPaths: ['/health'],
    errorShape: 'fieldErrors',
    probes,
    routes: intakeRoutes,
  },
  notification: {
    title: 'Notification service',
    description: 'Sends mails and text messages by templates, and keeps what was sent to whom.',
    healthName: 'notification-service',
    healthPaths: ['/notify/health'],
    errorShape: 'issues',
    probes,
    routes: notificationRoutes,
  },
  organization: {
    title: 'Organization service',
    description: 'Keeps organizations, those who administer them, and whose hostnames are whose.',
    webhooks: eventWebhooks,
    healthName: 'organization-service',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: organizationRoutes,
  },
  patients: {
    title: 'Patient directory',
    description: 'Keeps which patient is which, in our systems and in those of others.',
    webhooks: eventWebhooks,
    healthName: 'patient-directory',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: patientsRoutes,
  },
  bridge: {
    title: 'EMR bridge',
    description: 'Takes what the EMR tells us, and writes back what it has to know.',
    webhooks: eventWebhooks,
    healthName: 'emr-bridge',
    healthPaths: ['/health', '/v1/health'],
    errorShape: 'code',
    probes,
    routes: bridgeRoutes,
  },
  codec: {
    title: 'Codec server',
    description: 'Shows an authorised operator in the Web UI what is encrypted in Temporal.',
    healthName: 'codec-server',
    healthPaths: ['/health'],
    errorShape: 'issues',
    routes: codecRoutes,
  },
};
