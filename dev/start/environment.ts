import { join } from 'node:path';
import { serviceNames, type ServiceName } from '../../platform/service-names.js';
import { isPartySetting } from './personal-settings.js';
import type { Ports, Settings } from './ports.js';
import type { Secrets } from './secrets.js';

/** The input for the environment of a development system. */
export interface Plan {
  /** The address that sockets bind to. */
  host: string;
  ports: Ports;
  secrets: Secrets;
  /** An absolute path for the sandbox's ledgers. */
  sandboxDataDir: string;
  /** The user's settings, which override those composed here. */
  settings: Settings;
}

/** The only variables of the user's environment that children inherit; others are meant for other programs. */
export const inheritedEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/**
 * Database roles: one for each service with tables, one for retention, and one for the codec server, which only adds
 * access events.
 */
const databaseRoles = [...serviceNames.filter((name) => name !== 'codec'), 'access', 'retention'] as const;

/** Callers cannot use a wildcard address. */
const reachable = (host: string): string => (['0.0.0.0', '::', ''].includes(host) ? '127.0.0.1' : host);
const httpUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Every address of the system, as a caller on this machine reaches it. */
export function addressesOf({ host, ports, secrets, settings }: Plan) {
  const at = (port: number) => httpUrl(reachable(host), port);
  const services = Object.fromEntries(serviceNames.map((name) => [name, at(ports[name])])) as Record<
    ServiceName,
    string
  >;
  const databaseUrl =
    settings['DATABASE_URL'] ??
    `postgres://scriptrail:${secrets.postgresPassword}@${new URL(at(ports.postgres)).host}/scriptrail`;
  const serviceDatabaseUrls = Object.fromEntries(
    databaseRoles.map((role) => {
      const url = new URL(databaseUrl);
      url.username = `scriptrail_${role}`;
      url.password = secrets[`${role}DatabasePassword`];
      return [role, url.href];
    }),
  );
  const sandbox = at(ports.sandbox);
  return {
    services,
    health: at(ports.health),
    workersHealth: at(ports.workersHealth),
    sandbox,
    databaseUrl,
    serviceDatabaseUrls,
    temporal: {
      address: settings['TEMPORAL_ADDRESS'] ?? new URL(at(ports.temporal)).host,
      namespace: settings['TEMPORAL_NAMESPACE'] ?? 'default',
      ui: settings['TEMPORAL_UI_URL'] ?? at(ports.temporalUi),
    },
    codecEndpoint: `${services.codec}/${secrets.codecPathToken}`,
    emrBaseUrl: settings['EMR_BASE_URL'] ?? `${sandbox}/fhir/R4`,
    stripeApiBase: settings['STRIPE_API_BASE'] ?? `${sandbox}/stripe`,
    intakeOrigins: [
      httpUrl('localhost', ports.intake),
      httpUrl('127.0.0.1', ports.intake),
      httpUrl('localhost', ports.intake + 100),
    ],
  };
}

/** The complete environment of the product's processes. */
export function productEnvironment(plan: Plan): Record<string, string> {
  const { host, ports, secrets } = plan;
  const { services, sandbox, serviceDatabaseUrls, temporal, emrBaseUrl, stripeApiBase, intakeOrigins } =
    addressesOf(plan);
  const perService = (
    suffix: string,
    value: (name: ServiceName) => string | undefined,
  ): Record<string, string> =>
    Object.fromEntries(
      serviceNames.flatMap((name) => {
        const text = value(name);
        return text === undefined ? [] : [[`${name.toUpperCase()}_${suffix}`, text]];
      }),
    );
  return {
    NODE_ENV: 'development',
    HOST: host,
    PORT_BASE: String(ports.base),
    ...perService('PORT', (name) => String(ports[name])),
    ...perService('URL', (name) => services[name]),
    ...Object.fromEntries(
      Object.entries(serviceDatabaseUrls).map(([name, url]) => [`${name.toUpperCase()}_DATABASE_URL`, url]),
    ),
    LOG_LEVEL: 'info',
    BUSINESS_TIMEZONE: 'UTC',
    // There is no gateway.
    DRAIN_SECONDS: '0',
    // One process hosts all queues.
    WORKFLOW_THREADS: 'false',
    // Limits in development never surprise a caller (D6, D26).
    RATE_LIMIT_PER_KEY_PER_MINUTE: '1000000',
    RATE_LIMIT_UNVERIFIED_PER_MINUTE: '1000000',
    RATE_LIMIT_CODES_PER_MINUTE: '1000000',
    RATE_LIMIT_CODES_PER_ADDRESS: '1000000',
    RATE_LIMIT_COUPONS_PER_MINUTE: '1000000',
    RATE_LIMIT_CARD_SESSIONS_PER_MINUTE: '1000000',
    ALLOW_PRIVATE_CALLBACKS: 'true',

    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    TEMPORAL_UI_URL: temporal.ui,
    ...perService('CODEC_KEYS', (name) => (name === 'codec' ? undefined : secrets[`${name}CodecKeys`])),
    EVENTS_CODEC_KEYS: secrets.eventsCodecKeys,
    CODEC_PATH_TOKEN: secrets.codecPathToken,
    CODEC_ALLOWED_ORIGINS: [temporal.ui, httpUrl('localhost', ports.temporalUi)].join(','),

    SECRET_ENCRYPTION_KEYS: secrets.secretEncryptionKeys,
    ID_HASH_SECRET: secrets.idHashSecret,
    ADMIN_JWT_SECRET: secrets.adminJwtSecret,
    PLAN_TOKEN_SECRET: secrets.planTokenSecret,

    ORCHESTRATOR_PUBLIC_URL: services.orchestrator,
    ORCHESTRATOR_API_KEY: 'orchestrator',
    ORCHESTRATOR_API_SECRET: secrets.orchestratorApiSecret,
    PAYMENT_LINK_SECRET: secrets.paymentLinkSecret,
    PRESCRIBER_A: JSON.stringify(prescribers.a),
    PRESCRIBER_B: JSON.stringify(prescribers.b),
    INTAKE_API_KEY: 'intake',
    INTAKE_API_SECRET: secrets.intakeApiSecret,
    INTAKE_ORIGINS: intakeOrigins.join(','),
    INTAKE_PUBLIC_URL: services.intake,
    INTAKE_FORM_URL: `${services.intake}/`,
    ORGANIZATION_API_KEY: 'organization',
    ORGANIZATION_API_SECRET: secrets.organizationApiSecret,
    WORKLIST_API_KEY: 'worklist',
    WORKLIST_API_SECRET: secrets.worklistApiSecret,
    ADMIN_PORTAL_URL: `${services.organization}/docs`,

    EMR_BASE_URL: emrBaseUrl,
    EMR_TOKEN: secrets.emrToken,
    EMR_WEBHOOK_SECRET: secrets.emrWebhookSecret,
    STRIPE_API_BASE: stripeApiBase,
    STRIPE_SECRET_KEY: secrets.stripeSecretKey,
    STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
    SHIPPING_BASE_URL: sandbox,
    SHIPPING_API_KEY: secrets.shippingApiKey,
    SHIPPING_API_SECRET: secrets.shippingApiSecret,
    PHARMACY_A_BASE_URL: `${sandbox}/pharmacy-a`,
    PHARMACY_A_SANDBOX_BASE_URL: `${sandbox}/pharmacy-a/test`,
    PHARMACY_A_API_KEY: secrets.pharmacyAApiKey,
    PHARMACY_A_WEBHOOK_SECRET: secrets.pharmacyAWebhookSecret,
    PHARMACY_B_BASE_URL: `${sandbox}/pharmacy-b`,
    PHARMACY_B_SANDBOX_BASE_URL: `${sandbox}/pharmacy-b/test`,
    PHARMACY_B_CLIENT_ID: secrets.pharmacyBClientId,
    PHARMACY_B_CLIENT_SECRET: secrets.pharmacyBClientSecret,
    PHARMACY_B_WEBHOOK_SECRET: secrets.pharmacyBWebhookSecret,
    PHARMACY_B_CATALOG_SEMAGLUTIDE: 'PB-SEMA-5',
    PHARMACY_B_CATALOG_TIRZEPATIDE: 'PB-TIRZ-17',
    DNS_SERVERS: new URL(httpUrl(reachable(host), ports.dns)).host,
    DOMAIN_TLS_PORT: String(ports.tls),
    DOMAIN_TLS_CA: join(plan.sandboxDataDir, 'tls-ca.pem'),
    SMTP_HOST: reachable(host),
    SMTP_PORT: String(ports.smtp),
    MAIL_FROM: 'care@scriptrail.test',
    TWILIO_BASE_URL: `${sandbox}/twilio`,
    TWILIO_ACCOUNT_SID: secrets.twilioAccountSid,
    TWILIO_AUTH_TOKEN: secrets.twilioAuthToken,
    TWILIO_FROM: '+15005550006',
    CHAT_WEBHOOK_URL: `${sandbox}/chat`,
    CRM_WEBHOOK_URL: `${sandbox}/crm`,
    EVENT_SINK_URL: `${sandbox}/events`,
    EVENT_SINK_SECRET: secrets.eventSinkSecret,
    IDP_JWKS_URL: `${sandbox}/idp/jwks.json`,
    IDP_ISSUER: `${sandbox}/idp`,
    IDP_AUDIENCE: 'scriptrail',
    ...forChildren(plan.settings),
  };
}

/** The sandbox's environment: the same addresses and secrets from the other side. */
export function sandboxEnvironment(plan: Plan): Record<string, string> {
  const { host, ports, secrets } = plan;
  const { services, sandbox } = addressesOf(plan);
  return {
    HOST: host,
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_SMTP_PORT: String(ports.smtp),
    SANDBOX_TLS_PORT: String(ports.tls),
    SANDBOX_DNS_PORT: String(ports.dns),
    SANDBOX_DATA_DIR: plan.sandboxDataDir,
    SANDBOX_EMR_TOKEN: secrets.emrToken,
    SANDBOX_EMR_WEBHOOK_SECRET: secrets.emrWebhookSecret,
    SANDBOX_STRIPE_SECRET_KEY: secrets.stripeSecretKey,
    SANDBOX_STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
    SANDBOX_PHARMACY_A_API_KEY: secrets.pharmacyAApiKey,
    SANDBOX_PHARMACY_A_WEBHOOK_SECRET: secrets.pharmacyAWebhookSecret,
    SANDBOX_PHARMACY_B_CLIENT_ID: secrets.pharmacyBClientId,
    SANDBOX_PHARMACY_B_CLIENT_SECRET: secrets.pharmacyBClientSecret,
    SANDBOX_PHARMACY_B_WEBHOOK_SECRET: secrets.pharmacyBWebhookSecret,
    SANDBOX_SHIPPING_API_KEY: secrets.shippingApiKey,
    SANDBOX_SHIPPING_API_SECRET: secrets.shippingApiSecret,
    SANDBOX_TWILIO_ACCOUNT_SID: secrets.twilioAccountSid,
    SANDBOX_TWILIO_AUTH_TOKEN: secrets.twilioAuthToken,
    SANDBOX_EVENT_SINK_SECRET: secrets.eventSinkSecret,
    SANDBOX_IDP_ISSUER: `${sandbox}/idp`,
    SANDBOX_IDP_AUDIENCE: 'scriptrail',
    SANDBOX_ROUTER_URL: services.router,
    SANDBOX_ORCHESTRATOR_URL: services.orchestrator,
    SANDBOX_BRIDGE_URL: services.bridge,
    ...forChildren(plan.settings),
  };
}

/** Only migrations and seeds use the superuser's database, and our own ports are already resolved. */
const forChildren = (settings: Settings): Settings =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name]) =>
        isPartySetting(name) || (name !== 'DATABASE_URL' && name !== 'HOST' && !/_PORT$|^PORT_/.test(name)),
    ),
  );

/** Invented people with valid check digits. */
const prescribers = {
  a: {
    firstName: 'Alex',
    lastName: 'Rivera',
    suffix: 'FNP-C',
    npi: '1234567893',
    emrPractitionerId: '5f0c2a7e-8d41-4b6a-9c33-1e7d2f60a001',
  },
  b: {
    firstName: 'Blair',
    lastName: 'Chen',
    suffix: 'MD',
    npi: '1245319599',
    emrPractitionerId: '5f0c2a7e-8d41-4b6a-9c33-1e7d2f60b002',
  },
};
