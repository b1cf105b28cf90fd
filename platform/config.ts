import { z } from 'zod';
import {
  addresses,
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

/** The eight services and the codec server, each with its port offset from `PORT_BASE` (D1). */
export const servicePortOffsets = {
  router: 1,
  orchestrator: 2,
  registry: 3,
  intake: 4,
  notification: 5,
  organization: 6,
  patients: 7,
  bridge: 8,
  codec: 9,
} as const;

export type ServiceName = keyof typeof servicePortOffsets;
/** Those with a database: the codec server keeps nothing. */
export type StoringService = Exclude<ServiceName, 'codec'>;
/** What a process may host: a service, or the retention, a task queue with a role of its own and no API (D94). */
export type Hosted = ServiceName | 'retention';
/** Whose role in the database a pool logs in with. */
export type DatabaseRole = Exclude<Hosted, 'codec'>;
export const serviceNames = Object.keys(servicePortOffsets) as ServiceName[];

/** What every process needs, whichever services it hosts. */
const baseShape = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT_BASE: port.default(4000),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  BUSINESS_TIMEZONE: timeZone.default('UTC'),
  TEMPORAL_CODEC_KEYS: keyRing,
  ADMIN_JWT_SECRET: secret,
  /** The gateways whose `X-Forwarded-For` says from where a request comes; nobody's otherwise. */
  TRUSTED_PROXIES: addresses,
  /** Activities at once in the worker of each queue. */
  ACTIVITY_SLOTS: z.coerce.number().int().min(1).default(100),
  RATE_LIMIT_PER_KEY_PER_MINUTE: z.coerce.number().int().positive().default(600),
  RATE_LIMIT_UNVERIFIED_PER_MINUTE: z.coerce.number().int().positive().default(600),
};

const hmacShape = { SECRET_ENCRYPTION_KEYS: keyRing };
const emrShape = { EMR_BASE_URL: url, EMR_TOKEN: key };
const stripeShape = { STRIPE_API_BASE: url.default('https://api.stripe.com'), STRIPE_SECRET_KEY: key };
/** Personal values stand in workflow ids as hashes under this secret only. */
const hashShape = { ID_HASH_SECRET: secret };
/** The identifier systems of patients (`<uri>`) and of tasks (`<uri>/task`) in the EMR. */
const mrnShape = { MRN_SYSTEM_URI: url.default('https://scriptrail.health/mrn') };
/** Where the outside is told of events; nothing is told without an address. */
const eventSinkShape = { EVENT_SINK_URL: url.optional(), EVENT_SINK_SECRET: secret.optional() };
const limit = (perWindow: number) => z.coerce.number().int().positive().default(perWindow);

/** What each service needs of its own; asked for only where the service is hosted. */
const serviceShapes = {
  router: {
    ...hmacShape,
    ROUTER_DATABASE_URL: postgresUrl,
    PHARMACY_A_BASE_URL: url,
    PHARMACY_A_SANDBOX_BASE_URL: url,
    PHARMACY_A_API_KEY: key,
    PHARMACY_B_BASE_URL: url,
    PHARMACY_B_SANDBOX_BASE_URL: url,
    PHARMACY_B_CLIENT_ID: key,
    PHARMACY_B_CLIENT_SECRET: key,
    PHARMACY_B_CATALOG_SEMAGLUTIDE: key.optional(),
    PHARMACY_B_CATALOG_TIRZEPATIDE: key.optional(),
    PHARMACY_A_WEBHOOK_SECRET: secret,
    PHARMACY_B_WEBHOOK_SECRET: secret,
    ALLOW_PRIVATE_CALLBACKS: z.stringbool().default(false),
    CALLBACK_PRIVATE_HOSTS: list.transform((hosts) => hosts.map((host) => host.toLowerCase())),
  },
  orchestrator: {
    ...hmacShape,
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
    ...emrShape,
    ...stripeShape,
    ...mrnShape,
    AUTO_APPROVE_FROM_EMR: z.stringbool().default(false),
    /** What is not done by then is answered like `respond-async` (D34). */
    APPROVE_ANSWER_WITHIN_MS: z.coerce.number().int().positive().default(120_000),
    SHIPPING_BASE_URL: url,
    SHIPPING_API_KEY: key,
    SHIPPING_API_SECRET: secret,
  },
  registry: { ...hmacShape, REGISTRY_DATABASE_URL: postgresUrl },
  intake: {
    ...emrShape,
    ...stripeShape,
    ...hashShape,
    INTAKE_DATABASE_URL: postgresUrl,
    INTAKE_API_KEY: key,
    INTAKE_API_SECRET: secret,
    INTAKE_ORIGINS: list,
    INTAKE_FORM_URL: url,
    NOTIFICATION_URL: url,
    PLAN_TOKEN_SECRET: secret,
    RATE_LIMIT_CODES_PER_MINUTE: limit(10),
    RATE_LIMIT_CODES_PER_ADDRESS: limit(5),
    RATE_LIMIT_COUPONS_PER_MINUTE: limit(20),
  },
  notification: {
    ...hmacShape,
    NOTIFICATION_DATABASE_URL: postgresUrl,
    SMTP_HOST: key,
    SMTP_PORT: port,
    SMTP_USER: z.string().optional(),
    SMTP_PASSWORD: z.string().optional(),
    MAIL_FROM: z.email(),
    TWILIO_BASE_URL: url.default('https://api.twilio.com'),
    TWILIO_ACCOUNT_SID: key,
    TWILIO_AUTH_TOKEN: key,
    TWILIO_FROM: key,
    CHAT_WEBHOOK_URL: url.optional(),
    CRM_WEBHOOK_URL: url.optional(),
    ADMIN_PORTAL_URL: url,
  },
  organization: {
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
    ...emrShape,
    ...hashShape,
    ...mrnShape,
    ...eventSinkShape,
    PATIENTS_DATABASE_URL: postgresUrl,
    ORGANIZATION_URL: url,
  },
  bridge: {
    ...emrShape,
    ...hashShape,
    ...eventSinkShape,
    BRIDGE_DATABASE_URL: postgresUrl,
    EMR_WEBHOOK_SECRET: secret,
  },
  retention: { RETENTION_DATABASE_URL: postgresUrl },
  codec: {
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
  /** Where a hosted service's own role connects to. */
  databaseUrl: (name: DatabaseRole) => string;
}

/** Every fault of the environment in one error, so that one start shows all that is missing. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(readonly faults: readonly string[]) {
    super(`The environment is not complete:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
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
  if (base?.NODE_ENV === 'production') faults.push(...productionFaults(env, hosted));
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
      const variable = `${name.toUpperCase() as Uppercase<typeof name>}_DATABASE_URL` as const;
      return (settingsOf(name) as unknown as Record<typeof variable, string>)[variable];
    },
  };
}

/** What development tolerates and production must not: sample secrets, and live calls that reach a sandbox (D24). */
function productionFaults(env: NodeJS.ProcessEnv, hosted: readonly Hosted[]): string[] {
  const faults: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!/_(SECRET|KEYS?|TOKEN|PASSWORD)$/.test(name) || value === undefined) continue;
    if (/change-?me|example|sample|placeholder|^(.)\1*$/i.test(value))
      faults.push(`${name}: is a sample value`);
  }
  if (hosted.includes('router')) {
    for (const party of ['PHARMACY_A', 'PHARMACY_B']) {
      if (env[`${party}_BASE_URL`] === env[`${party}_SANDBOX_BASE_URL`])
        faults.push(`${party}_SANDBOX_BASE_URL: must differ from ${party}_BASE_URL`);
    }
  }
  if (hosted.includes('codec') && env['CODEC_PATH_TOKEN'] !== undefined)
    faults.push('CODEC_PATH_TOKEN: is for development only; production sends the access token');
  return faults;
}
