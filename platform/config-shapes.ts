import { z } from 'zod';
import { settleSeconds } from '../domain/settling.js';
import {
  addresses,
  buildId,
  days,
  deploymentName,
  eventTypes,
  growingSeconds,
  hostsWithPort,
  key,
  keyRing,
  list,
  named,
  port,
  postgresUrl,
  prescriberJson,
  secret,
  timeZone,
  url,
} from './config-values.js';
import { emailAddress } from './http/text.js';
import { pharmacyShape } from './pharmacy-settings.js';
import { type Hosted, type StoringService, storingServices } from './service-names.js';

/** The settings of every process. */
export const baseShape = {
  /** Required: production rejects settings that development allows (D89). */
  NODE_ENV: z.enum(['development', 'test', 'production']),
  HOST: z.string().default('127.0.0.1'),
  PORT_BASE: port.default(4000),
  /** Serves `/health`, `/ready` and `/metrics`; none by default. */
  HEALTH_PORT: port.optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  BUSINESS_TIMEZONE: timeZone.default('UTC'),
  /** Services that check or issue admin tokens require it (D90). */
  ADMIN_JWT_SECRET: secret.optional(),
  /** `off` confirms that Postgres has no TLS (D89). */
  DATABASE_TLS: z.literal('off').optional(),
  /** `off` confirms that our services reach each other without TLS (D89). */
  SERVICES_TLS: z.literal('off').optional(),
  /** Certificates and key of the APIs, which then serve TLS themselves; HTTP without them (D89). */
  TLS_CERT_PATH: z.string().optional(),
  TLS_KEY_PATH: z.string().optional(),
  ALLOW_PUBLIC_DEVELOPMENT: z.stringbool().default(false),
  /** The gateways whose `X-Forwarded-For` names the client address; none by default. */
  TRUSTED_PROXIES: addresses,
  /** Concurrent activities of each queue's worker. */
  ACTIVITY_SLOTS: z.coerce.number().int().min(1).default(100),
  /** Without them workflows run on the main thread: 20 MiB less for each queue, and nothing stops one that blocks. */
  WORKFLOW_THREADS: z.stringbool().default(true),
  /** Worker versioning, off unless both are set (workflows/versioning.ts). */
  TEMPORAL_DEPLOYMENT_NAME: deploymentName.optional(),
  TEMPORAL_WORKER_BUILD_ID: buildId.optional(),
  /** How long a stopping API still answers while `/ready` already fails. */
  DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(5),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(0.1),
  RATE_LIMIT_PER_KEY_PER_MINUTE: z.coerce.number().int().positive().default(600),
  RATE_LIMIT_UNVERIFIED_PER_MINUTE: z.coerce.number().int().positive().default(600),
};

/** The encryption keys and the database role of a service (D90). */
const ownShape = <Owner extends string>(owner: Owner) => ({
  SECRET_ENCRYPTION_KEYS: keyRing,
  ...named(`${owner}_CODEC_KEYS` as const, keyRing),
  ...named(`${owner}_DATABASE_URL` as const, postgresUrl),
});
/** The key that a service calls our other services with. */
const apiKeyShape = <Owner extends string>(owner: Owner) => ({
  ...named(`${owner}_API_KEY` as const, key),
  ...named(`${owner}_API_SECRET` as const, secret),
});
/** Services that check admin tokens ask the organization service about their holders. */
const adminShape = { ADMIN_JWT_SECRET: secret, ORGANIZATION_URL: url };
/** The key ring of services that publish or receive events (D90). */
const eventsShape = { EVENTS_CODEC_KEYS: keyRing };
const emrShape = { EMR_BASE_URL: url, EMR_TOKEN: key };
const stripeShape = { STRIPE_API_BASE: url.default('https://api.stripe.com'), STRIPE_SECRET_KEY: key };
/** Personal values in workflow ids are hashes under this secret. */
const hashShape = { ID_HASH_SECRET: secret };
/** When to reconcile an order or a label whose answer was lost (D114). */
const settleShape = { ORDER_SETTLE_SECONDS: growingSeconds.default([...settleSeconds]) };
/** For links from timelines and work items to runs in the Web UI. */
const runLinkShape = { TEMPORAL_UI_URL: url.optional(), TEMPORAL_NAMESPACE: z.string().default('default') };
/** Identifier systems of patients (`<uri>`) and tasks (`<uri>/task`) in the EMR. */
const mrnShape = { MRN_SYSTEM_URI: url.default('https://scriptrail.health/mrn') };
/** The webhook that receives events, none by default. The URL requires the secret. */
const eventSinkShape = {
  EVENT_SINK_URL: url.optional(),
  EVENT_SINK_SECRET: secret.optional(),
  EVENT_SINK_TYPES: eventTypes,
};
/** Which addresses of clients may be private (D26). */
const receiversShape = {
  ALLOW_PRIVATE_CALLBACKS: z.stringbool().default(false),
  CALLBACK_PRIVATE_HOSTS: hostsWithPort,
};
/** Development may use fractions. */
const hours = (byDefault: number) => z.coerce.number().nonnegative().default(byDefault);
const limit = (perWindow: number) => z.coerce.number().int().positive().default(perWindow);

const codecRings = Object.fromEntries(
  storingServices.map((name) => [`${name.toUpperCase()}_CODEC_KEYS`, keyRing]),
) as Record<`${Uppercase<StoringService>}_CODEC_KEYS`, typeof keyRing>;

/** The settings of each service; a process reads only those of the services it hosts. */
export const serviceShapes = {
  router: {
    ...ownShape('ROUTER'),
    ...eventsShape,
    ...settleShape,
    ...pharmacyShape,
    /** Hours of cancellation requests to a pharmacy before a work item opens (D101). */
    PHARMACY_CANCEL_HOURS: hours(24),
    /** Hours without news of an order before its status is queried; 0 turns this off (D102). */
    PHARMACY_SILENCE_HOURS: hours(24),
    PHARMACY_SILENCE_CHECK_SECONDS: z.coerce.number().int().positive().default(3_600),
    ...receiversShape,
  },
  orchestrator: {
    ...ownShape('ORCHESTRATOR'),
    ...eventsShape,
    ...settleShape,
    ...receiversShape,
    ORCHESTRATOR_PUBLIC_URL: url,
    ...apiKeyShape('ORCHESTRATOR'),
    ORCHESTRATOR_PLATFORM: z.enum(['platform_a', 'platform_b']).default('platform_a'),
    // Prescribers are people of one deployment, so the code names none.
    PRESCRIBER_A: prescriberJson,
    PRESCRIBER_B: prescriberJson,
    ROUTER_URL: url,
    REGISTRY_URL: url,
    NOTIFICATION_URL: url,
    WORKLIST_URL: url,
    ...runLinkShape,
    ...emrShape,
    /** A phone with this extension set to false gets no texts (D147). */
    EMR_CONSENT_EXTENSION: url.default('http://schemas.canvasmedical.com/fhir/extensions/has-consent'),
    ...stripeShape,
    ...mrnShape,
    /** Days since the failed charge at which a soft decline is retried and the patient reminded (D107). */
    PAYMENT_RETRY_DAYS: days.default([1, 3, 7]),
    /** Days until a work item opens and payment links expire. */
    PAYMENT_RECOVERY_DAYS: z.coerce.number().positive().max(366).default(14),
    /** Sends or holds a due refill while a charge of its schedule is unpaid (D118). */
    REFILLS_WHEN_UNPAID: z.enum(['send', 'hold']).default('send'),
    INTAKE_PUBLIC_URL: url.default('http://127.0.0.1:4004'),
    /** Signs payment links, and nothing else (D107). */
    PAYMENT_LINK_SECRET: secret,
    /** Verifies the processor's webhooks; without it all are rejected (D108). */
    STRIPE_WEBHOOK_SECRET: secret.optional(),
    AUTO_APPROVE_FROM_EMR: z.stringbool().default(false),
    /** Each charge that succeeds sends a receipt (D121). */
    RECEIPTS: z.stringbool().default(false),
    /** Days before a refill at which the patient is notified of it; 0 turns this off (D121). */
    REFILL_NOTICE_DAYS: z.coerce.number().int().min(0).max(14).default(0),
    /** `off` ends the schedule of the daily close (D131). */
    DAILY_CLOSE: z.enum(['on', 'off']).default('on'),
    /** A plan is asked for its check-in, decision or renewal this many days before its fill (D126). */
    CHECK_IN_DAYS: z.coerce.number().int().min(1).max(60).default(10),
    /** Minutes of failed deliveries to an event endpoint before a work item opens (D130). */
    ENDPOINT_FAILING_MINUTES: z.coerce.number().positive().max(43_200).default(60),
    /** A person is asked about a missing check-in this many days after the day of the fill (D127). */
    CHECK_IN_GRACE_DAYS: z.coerce.number().int().min(0).max(60).default(7),
    /** `off` ends the notices of plans, not their work items (D127). */
    PLAN_NOTICES: z.enum(['on', 'off']).default('on'),
    /** How long to retry while our own services are down (D114). */
    OWN_OUTAGE_MINUTES: z.coerce.number().positive().default(60),
    /** After this time the answer is the one of `respond-async` (D34). */
    APPROVE_ANSWER_WITHIN_MS: z.coerce.number().int().positive().default(120_000),
    SHIPPING_BASE_URL: url,
    SHIPPING_API_KEY: key,
    SHIPPING_API_SECRET: secret,
  },
  registry: ownShape('REGISTRY'),
  intake: {
    ...adminShape,
    ...ownShape('INTAKE'),
    ...eventsShape,
    ...emrShape,
    ...stripeShape,
    ...hashShape,
    ...apiKeyShape('INTAKE'),
    INTAKE_ORIGINS: list,
    INTAKE_FORM_URL: url,
    /** Who the payment page says is asking, and where a patient reaches them (D163). */
    CLINIC_NAME: key.default('Our clinic'),
    CLINIC_CONTACT: key.default('care@example.org'),
    /** The payment page takes real cards with it, and test cards without (D163). */
    STRIPE_PUBLISHABLE_KEY: key.optional(),
    NOTIFICATION_URL: url,
    ORCHESTRATOR_URL: url.default('http://127.0.0.1:4002'),
    PLAN_TOKEN_SECRET: secret,
    /** True if intakes and cards require an e-mail proof; required in production (D86). */
    INTAKE_REQUIRE_EMAIL_PROOF: z.stringbool().default(false),
    RATE_LIMIT_CODES_PER_MINUTE: limit(10),
    RATE_LIMIT_CODES_PER_ADDRESS: limit(5),
    RATE_LIMIT_COUPONS_PER_MINUTE: limit(20),
    RATE_LIMIT_CARD_SESSIONS_PER_MINUTE: limit(20),
  },
  notification: {
    ...adminShape,
    ...ownShape('NOTIFICATION'),
    ...eventsShape,
    SMTP_HOST: key,
    SMTP_PORT: port,
    SMTP_USER: z.string().optional(),
    SMTP_PASSWORD: z.string().optional(),
    MAIL_FROM: emailAddress,
    TWILIO_BASE_URL: url.default('https://api.twilio.com'),
    TWILIO_ACCOUNT_SID: key,
    TWILIO_AUTH_TOKEN: key,
    TWILIO_FROM: key,
    CHAT_WEBHOOK_URL: url.optional(),
    CRM_WEBHOOK_URL: url.optional(),
    ADMIN_PORTAL_URL: url,
  },
  organization: {
    ADMIN_JWT_SECRET: secret,
    ...ownShape('ORGANIZATION'),
    ...eventsShape,
    ...emrShape,
    ...hashShape,
    ...eventSinkShape,
    ...apiKeyShape('ORGANIZATION'),
    NOTIFICATION_URL: url,
    IDP_JWKS_URL: url,
    IDP_ISSUER: key,
    IDP_AUDIENCE: key,
    /** How admins sign in (D142). */
    ADMIN_SIGN_IN: z.enum(['codes', 'provider', 'both']).default('both'),
    DNS_SERVERS: list,
    DOMAIN_TLS_PORT: port.default(443),
    DOMAIN_TLS_CA: z.string().optional(),
    RATE_LIMIT_CODES_PER_MINUTE: limit(10),
    RATE_LIMIT_CODES_PER_ADDRESS: limit(5),
  },
  patients: {
    ...adminShape,
    ...ownShape('PATIENTS'),
    ...eventsShape,
    ...emrShape,
    ...hashShape,
    ...mrnShape,
    ...eventSinkShape,
  },
  bridge: {
    ...adminShape,
    ...ownShape('BRIDGE'),
    ...eventsShape,
    ...emrShape,
    ...hashShape,
    ...eventSinkShape,
    EMR_WEBHOOK_SECRET: secret,
  },
  worklist: {
    ...adminShape,
    ...ownShape('WORKLIST'),
    ...eventsShape,
    ...apiKeyShape('WORKLIST'),
    ROUTER_URL: url,
    ORCHESTRATOR_URL: url,
    INTAKE_URL: url,
    PATIENTS_URL: url,
    BRIDGE_URL: url,
    ...runLinkShape,
    RATE_LIMIT_CODES_PER_MINUTE: limit(10),
    /** As the organization service has it, so that the desk offers only what works (D142). */
    ADMIN_SIGN_IN: z.enum(['codes', 'provider', 'both']).default('both'),
    /** OpenID Connect authorization endpoint that answers with an id_token; with it the desk offers the provider. */
    IDP_AUTHORIZE_URL: url.optional(),
    IDP_AUDIENCE: key.default('scriptrail'),
  },
  /** The patients API starts the retention's workflows, so both share that ring. */
  retention: { PATIENTS_CODEC_KEYS: keyRing, RETENTION_DATABASE_URL: postgresUrl },
  /** It decodes payloads of every service, so it has all rings. */
  codec: {
    ...adminShape,
    ...codecRings,
    ...eventsShape,
    /** Its role may only add access events (D88). */
    ACCESS_DATABASE_URL: postgresUrl,
    CODEC_PATH_TOKEN: z
      .string()
      .regex(/^[\w-]{16,}$/)
      .optional(),
    CODEC_ALLOWED_ORIGINS: list,
  },
} satisfies Record<Hosted, z.ZodRawShape>;
