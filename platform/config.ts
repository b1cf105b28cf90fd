import { z } from 'zod';
import { settleSeconds } from '../domain/settling.js';
import type { Key } from './crypto/key-ring.js';
import { emailAddress } from './email-address.js';
import type { CodecKeys } from './temporal/codec.js';
import { developmentFaults, incompleteFaults, productionFaults } from './config-rules.js';
import {
  addresses,
  buildId,
  codecRing,
  days,
  deploymentName,
  eventTypes,
  growingSeconds,
  hostsWithPort,
  key,
  keyRing,
  list,
  port,
  postgresUrl,
  prescriberJson,
  secret,
  timeZone,
  url,
} from './config-values.js';
import { pharmacyShape } from './pharmacy-settings.js';
import { type Hosted, type ServiceName, serviceNames, servicePortOffsets } from './service-names.js';

/** What every process needs, whichever services it hosts. */
const baseShape = {
  /** Said by every start, since production refuses what development may (D89). */
  NODE_ENV: z.enum(['development', 'test', 'production']),
  HOST: z.string().default('127.0.0.1'),
  PORT_BASE: port.default(4000),
  /** Where the process says how it is: `/health`, `/ready`, `/metrics`. It says nothing without. */
  HEALTH_PORT: port.optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  BUSINESS_TIMEZONE: timeZone.default('UTC'),
  /** Reads what was written before each service had a ring of its own, until its runs are past their retention (D90). */
  /** Asked for where admins' tokens are checked or made (D90). */
  ADMIN_JWT_SECRET: secret.optional(),
  /** `off`: Postgres without TLS is meant (D89). */
  DATABASE_TLS: z.literal('off').optional(),
  ALLOW_PUBLIC_DEVELOPMENT: z.stringbool().default(false),
  /** The gateways whose `X-Forwarded-For` says from where a request comes; nobody's otherwise. */
  TRUSTED_PROXIES: addresses,
  /** Activities at once in the worker of each queue. */
  ACTIVITY_SLOTS: z.coerce.number().int().min(1).default(100),
  /** Whose version the workers are, and which; without both they are of no version (workflows/versioning.ts). */
  TEMPORAL_DEPLOYMENT_NAME: deploymentName.optional(),
  TEMPORAL_WORKER_BUILD_ID: buildId.optional(),
  /** How long an API that is told to stop goes on answering while `/ready` says that it does not. */
  DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(5),
  /** Where traces go, over OTLP/HTTP; none are made without. */
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  /** The share of the traces that begin with us. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(0.1),
  RATE_LIMIT_PER_KEY_PER_MINUTE: z.coerce.number().int().positive().default(600),
  RATE_LIMIT_UNVERIFIED_PER_MINUTE: z.coerce.number().int().positive().default(600),
};

const hmacShape = { SECRET_ENCRYPTION_KEYS: keyRing };
const adminShape = { ADMIN_JWT_SECRET: secret };
/** Of all who publish or hear of events (D90). */
const eventsShape = codecRing('EVENTS');
const emrShape = { EMR_BASE_URL: url, EMR_TOKEN: key };
const stripeShape = { STRIPE_API_BASE: url.default('https://api.stripe.com'), STRIPE_SECRET_KEY: key };
/** Personal values stand in workflow ids as hashes under this secret only. */
const hashShape = { ID_HASH_SECRET: secret };
/** When it is asked what became of an order or a label whose answers were lost (D114). */
const settleShape = { ORDER_SETTLE_SECONDS: growingSeconds(settleSeconds) };
/** The identifier systems of patients (`<uri>`) and of tasks (`<uri>/task`) in the EMR. */
const mrnShape = { MRN_SYSTEM_URI: url.default('https://scriptrail.health/mrn') };
/** Where the outside is told of events; nothing is told without an address, which comes with the secret or not at all. */
const eventSinkShape = {
  EVENT_SINK_URL: url.optional(),
  EVENT_SINK_SECRET: secret.optional(),
  /** The types that it is told of; all without. */
  EVENT_SINK_TYPES: eventTypes,
};
/** Fractions of an hour are for development. */
const hours = (byDefault: number) => z.coerce.number().nonnegative().default(byDefault);
const limit = (perWindow: number) => z.coerce.number().int().positive().default(perWindow);

/** What each service needs of its own; asked for only where the service is hosted. */
const serviceShapes = {
  router: {
    ...hmacShape,
    ...codecRing('ROUTER'),
    ...eventsShape,
    ...settleShape,
    ROUTER_DATABASE_URL: postgresUrl,
    ...pharmacyShape,
    /** How long a pharmacy is asked to cancel before a person is (D101). */
    PHARMACY_CANCEL_HOURS: hours(24),
    /** An order of which its pharmacy has said nothing for so long is asked for; 0: none is (D102). */
    PHARMACY_SILENCE_HOURS: hours(24),
    PHARMACY_SILENCE_CHECK_SECONDS: z.coerce.number().int().positive().default(3_600),
    ALLOW_PRIVATE_CALLBACKS: z.stringbool().default(false),
    CALLBACK_PRIVATE_HOSTS: hostsWithPort,
  },
  orchestrator: {
    ...hmacShape,
    ...codecRing('ORCHESTRATOR'),
    ...eventsShape,
    ...settleShape,
    ORCHESTRATOR_DATABASE_URL: postgresUrl,
    ORCHESTRATOR_PUBLIC_URL: url,
    ORCHESTRATOR_API_KEY: key,
    ORCHESTRATOR_API_SECRET: secret,
    ORCHESTRATOR_PLATFORM: z.enum(['platform_a', 'platform_b']).default('platform_a'),
    PRESCRIBER_A: prescriberJson,
    PRESCRIBER_B: prescriberJson,
    ROUTER_URL: url,
    REGISTRY_URL: url,
    NOTIFICATION_URL: url,
    /** Asked for its part of a timeline (D111). */
    WORKLIST_URL: url,
    /** Where people look at runs; a timeline links to none without it. */
    TEMPORAL_UI_URL: url.optional(),
    TEMPORAL_NAMESPACE: z.string().default('default'),
    ...emrShape,
    /** The extension of a phone in the EMR that, where it is false, withholds consent to texts (D147). */
    EMR_CONSENT_EXTENSION: url.default('http://schemas.canvasmedical.com/fhir/extensions/has-consent'),
    ...stripeShape,
    ...mrnShape,
    /** When a soft decline is charged again and the patient reminded, in days since the charge failed (D107). */
    PAYMENT_RETRY_DAYS: days.default([1, 3, 7]),
    /** Until a person is asked, and until payment links expire. */
    PAYMENT_RECOVERY_DAYS: z.coerce.number().positive().max(366).default(14),
    /** Where patients reach the intake gateway: payment links lead there. */
    INTAKE_PUBLIC_URL: url.default('http://127.0.0.1:4004'),
    /** What the processor signs its webhooks with; without it none is taken (D108). */
    STRIPE_WEBHOOK_SECRET: secret.optional(),
    AUTO_APPROVE_FROM_EMR: z.stringbool().default(false),
    /** How long an outage of our own services is waited out (D114). */
    OWN_OUTAGE_MINUTES: z.coerce.number().positive().default(60),
    /** What is not done by then is answered like `respond-async` (D34). */
    APPROVE_ANSWER_WITHIN_MS: z.coerce.number().int().positive().default(120_000),
    SHIPPING_BASE_URL: url,
    SHIPPING_API_KEY: key,
    SHIPPING_API_SECRET: secret,
  },
  registry: { ...hmacShape, ...codecRing('REGISTRY'), REGISTRY_DATABASE_URL: postgresUrl },
  intake: {
    ...adminShape,
    ...hmacShape,
    ...codecRing('INTAKE'),
    ...eventsShape,
    ...emrShape,
    ...stripeShape,
    ...hashShape,
    INTAKE_DATABASE_URL: postgresUrl,
    INTAKE_API_KEY: key,
    INTAKE_API_SECRET: secret,
    INTAKE_ORIGINS: list,
    INTAKE_FORM_URL: url,
    NOTIFICATION_URL: url,
    /** Whom payment links are opened at (D107). */
    ORCHESTRATOR_URL: url.default('http://127.0.0.1:4002'),
    PLAN_TOKEN_SECRET: secret,
    /** Whether intakes and cards are taken from those only who have proved their mailbox; production must say (D86). */
    INTAKE_REQUIRE_EMAIL_PROOF: z.stringbool().default(false),
    RATE_LIMIT_CODES_PER_MINUTE: limit(10),
    RATE_LIMIT_CODES_PER_ADDRESS: limit(5),
    RATE_LIMIT_COUPONS_PER_MINUTE: limit(20),
    RATE_LIMIT_CARD_SESSIONS_PER_MINUTE: limit(20),
  },
  notification: {
    ...adminShape,
    ...hmacShape,
    ...codecRing('NOTIFICATION'),
    ...eventsShape,
    NOTIFICATION_DATABASE_URL: postgresUrl,
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
    ...adminShape,
    ...hmacShape,
    ...codecRing('ORGANIZATION'),
    ...eventsShape,
    ...emrShape,
    ...hashShape,
    ...eventSinkShape,
    ORGANIZATION_DATABASE_URL: postgresUrl,
    ORGANIZATION_API_KEY: key,
    ORGANIZATION_API_SECRET: secret,
    NOTIFICATION_URL: url,
    IDP_JWKS_URL: url,
    IDP_ISSUER: key,
    IDP_AUDIENCE: key,
    /** `host:port` each; the system's own without. */
    DNS_SERVERS: list,
    DOMAIN_TLS_PORT: port.default(443),
    /** A file of authorities to trust beside the well-known ones. */
    DOMAIN_TLS_CA: z.string().optional(),
    RATE_LIMIT_CODES_PER_MINUTE: limit(10),
    RATE_LIMIT_CODES_PER_ADDRESS: limit(5),
  },
  patients: {
    ...adminShape,
    ...hmacShape,
    ...codecRing('PATIENTS'),
    ...eventsShape,
    ...emrShape,
    ...hashShape,
    ...mrnShape,
    ...eventSinkShape,
    PATIENTS_DATABASE_URL: postgresUrl,
    ORGANIZATION_URL: url,
  },
  bridge: {
    ...adminShape,
    ...hmacShape,
    ...codecRing('BRIDGE'),
    ...eventsShape,
    ...emrShape,
    ...hashShape,
    ...eventSinkShape,
    BRIDGE_DATABASE_URL: postgresUrl,
    EMR_WEBHOOK_SECRET: secret,
  },
  worklist: {
    ...hmacShape,
    ...adminShape,
    ...codecRing('WORKLIST'),
    ...eventsShape,
    WORKLIST_DATABASE_URL: postgresUrl,
    WORKLIST_API_KEY: key,
    WORKLIST_API_SECRET: secret,
    ROUTER_URL: url,
    ORCHESTRATOR_URL: url,
    INTAKE_URL: url,
    ORGANIZATION_URL: url,
    PATIENTS_URL: url,
    BRIDGE_URL: url,
    /** Where people look at runs; an item names none without it. */
    TEMPORAL_UI_URL: url.optional(),
    TEMPORAL_NAMESPACE: z.string().default('default'),
    RATE_LIMIT_CODES_PER_MINUTE: limit(10),
  },
  /** Runs of the retention's queue are begun by the patients' API, so both have that ring. */
  retention: { ...codecRing('PATIENTS'), RETENTION_DATABASE_URL: postgresUrl },
  /** It shows what any service wrote, so it alone has all rings. */
  codec: {
    ...adminShape,
    ...codecRing('ROUTER'),
    ...codecRing('ORCHESTRATOR'),
    ...codecRing('REGISTRY'),
    ...codecRing('INTAKE'),
    ...codecRing('NOTIFICATION'),
    ...codecRing('ORGANIZATION'),
    ...codecRing('PATIENTS'),
    ...codecRing('BRIDGE'),
    ...codecRing('WORKLIST'),
    ...eventsShape,
    /** Of a role that may add access events, and nothing else (D88). */
    ACCESS_DATABASE_URL: postgresUrl,
    ORGANIZATION_URL: url,
    CODEC_PATH_TOKEN: z
      .string()
      .regex(/^[\w-]{16,}$/)
      .optional(),
    CODEC_ALLOWED_ORIGINS: list,
  },
} satisfies Record<Hosted, z.ZodRawShape>;

/** Every variable that a process of the product may be given. */
export const variableNames: readonly string[] = [
  ...new Set([
    ...Object.keys(baseShape),
    ...serviceNames.map((name) => `${name.toUpperCase()}_PORT`),
    ...Object.values(serviceShapes).flatMap((shape) => Object.keys(shape)),
  ]),
];

const baseSchema = z.object(baseShape);
const serviceSchemas = Object.fromEntries(
  Object.entries(serviceShapes).map(([name, shape]) => [name, z.object(shape)]),
) as unknown as { [S in Hosted]: z.ZodObject<(typeof serviceShapes)[S]> };

type BaseConfig = z.infer<typeof baseSchema>;
export type ServiceConfig<S extends Hosted> = BaseConfig & z.infer<(typeof serviceSchemas)[S]>;
export interface Config extends BaseConfig {
  ports: Record<ServiceName, number>;
  /** The settings of one hosted service; throws for one that this process does not host. */
  service: <S extends Hosted>(name: S) => ServiceConfig<S>;
  /** Where a hosted service's own role connects to; the codec server's is the one that adds access events. */
  databaseUrl: (name: Hosted) => string;
  /** What a hosted service reads and writes in Temporal with; the codec server everything that any of them does. */
  codecKeys: (name: Hosted) => CodecKeys;
}

/** Every fault of the environment in one error, so that one start shows all that is missing. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(`The environment is not fit to start with:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/**
 * Reads the settings of this process once.
 * @param env usually `process.env`
 * @param hosted the services whose API or worker runs in this process
 * @throws ConfigError listing every fault
 */
export function loadConfig(env: NodeJS.ProcessEnv, hosted: readonly Hosted[]): Config {
  const faults: string[] = [];
  const read = <T>(schema: z.ZodType<T>): T | undefined => {
    const result = schema.safeParse(env);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const name = issue.path.join('.');
      faults.push(`${name}: ${env[name] === undefined ? 'is missing' : issue.message}`);
    }
    return undefined;
  };

  const base = read(baseSchema);
  const services = new Map(hosted.map((name) => [name, read(serviceSchemas[name] as z.ZodType)] as const));
  const ports = {} as Record<ServiceName, number>;
  for (const name of serviceNames) {
    const variable = `${name.toUpperCase()}_PORT`;
    const parsed = port.safeParse(env[variable] ?? (base?.PORT_BASE ?? 4000) + servicePortOffsets[name]);
    if (parsed.success) ports[name] = parsed.data;
    else faults.push(`${variable}: must be a port number`);
  }
  const given = meantForUs(env);
  faults.push(
    ...incompleteFaults(given, hosted),
    ...(given['NODE_ENV'] === 'production'
      ? productionFaults(given, limits, hosted)
      : developmentFaults(given)),
  );
  if (!base || faults.length > 0) throw new ConfigError([...new Set(faults)]);

  const settingsOf = <S extends Hosted>(name: S): ServiceConfig<S> => {
    const own = services.get(name);
    if (!own) throw new Error(`${name} is not hosted by this process`);
    return { ...base, ...own } as ServiceConfig<S>;
  };
  return {
    ...base,
    ports,
    service: settingsOf,
    databaseUrl: (name) => {
      const role = name === 'codec' ? 'access' : name;
      const variable = `${role.toUpperCase() as Uppercase<typeof role>}_DATABASE_URL` as const;
      return (settingsOf(name) as unknown as Record<typeof variable, string>)[variable];
    },
    codecKeys: (name) => {
      const settings = settingsOf(name) as unknown as Record<`${string}_CODEC_KEYS`, Key[] | undefined>;
      const of = (owner: string): Key[] => settings[`${owner.toUpperCase()}_CODEC_KEYS`] ?? [];
      const own = name === 'codec' ? serviceNames.flatMap(of) : of(name === 'retention' ? 'patients' : name);
      return { own, events: of('EVENTS') };
    },
  };
}

/** What is meant for the product, of all that stands in an environment. */
const meantForUs = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        (variableNames.includes(entry[0]) || entry[0].startsWith('TEMPORAL_') || entry[0] === 'SANDBOX_PORT'),
    ),
  );

const limits: Readonly<Record<string, number>> = Object.fromEntries(
  [baseShape, ...Object.values(serviceShapes)]
    .flatMap((shape) => Object.entries<z.ZodType>(shape))
    .filter(([name]) => name.startsWith('RATE_LIMIT_'))
    .map(([name, schema]) => [name, Number(schema.parse(undefined))]),
);
