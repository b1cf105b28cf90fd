import { loadClientConnectConfig } from '@temporalio/envconfig';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { pharmacySystems, variablesOf } from '../domain/pharmacies.js';

// Rules across settings (D89). A fault names settings, never a value.

type Settings = Readonly<Record<string, string>>;

/** Our own services, which call each other. */
const ownUrls: readonly string[] = [
  'ROUTER_URL',
  'ORCHESTRATOR_URL',
  'ORCHESTRATOR_PUBLIC_URL',
  'REGISTRY_URL',
  'NOTIFICATION_URL',
  'ORGANIZATION_URL',
  'INTAKE_URL',
  'PATIENTS_URL',
  'BRIDGE_URL',
  'WORKLIST_URL',
];
/**
 * Databases have their own rule, and only links lead to the Web UI. Every other URL is of an external service, or
 * leads a person to a page of ours.
 */
const isOutsideUrl = (name: string): boolean =>
  /_(URL|API_BASE)$/.test(name) &&
  !/(^|_)DATABASE_URL$/.test(name) &&
  ![...ownUrls, 'TEMPORAL_UI_URL'].includes(name);
/** A shorter secret of an external service can be guessed. */
const minSecretCharacters = 16;
/** Development may use fractions, so that days pass in seconds. */
const wholeTimes = ['PHARMACY_CANCEL_HOURS', 'PHARMACY_SILENCE_HOURS'];
/** Rate limits may be at most this multiple of their default. */
const maxTimesDefault = 10;

/**
 * Settings that only development may have.
 * @param settings all settings, also those of services that this process does not host
 * @param limits default of each rate limit
 */
export const productionFaults = (
  settings: Settings,
  limits: Readonly<Record<string, number>>,
  hosted: readonly string[],
): string[] => [
  ...externalFaults(settings),
  ...secretFaults(settings),
  ...connectionFaults(settings),
  ...Object.entries(limits)
    .filter(([name, byDefault]) => Number(settings[name] ?? 0) > maxTimesDefault * byDefault)
    .map(([name]) => `${name}: must be at most ${maxTimesDefault} times its default in production`),
  ...wholeTimes
    .filter((name) => !Number.isInteger(Number(settings[name] ?? 0)))
    .map((name) => `${name}: must be a whole number in production`),
  ...(isSet(settings['ALLOW_PRIVATE_CALLBACKS']) ? ['ALLOW_PRIVATE_CALLBACKS: is for development only'] : []),
  ...(hosted.includes('intake') && settings['INTAKE_REQUIRE_EMAIL_PROOF'] === undefined
    ? ['INTAKE_REQUIRE_EMAIL_PROOF: is required in production; true is recommended']
    : []),
  ...(hosted.includes('worklist') &&
  settings['ADMIN_SIGN_IN'] === 'provider' &&
  settings['IDP_AUTHORIZE_URL'] === undefined
    ? ['IDP_AUTHORIZE_URL: is required where ADMIN_SIGN_IN is provider; without it the desk has no way in']
    : []),
  ...missing(settings, hosted.includes('orchestrator') ? ['INTAKE_PUBLIC_URL', 'STRIPE_WEBHOOK_SECRET'] : []),
  ...missing(
    settings,
    hosted.includes('intake')
      ? ['ORCHESTRATOR_URL', 'STRIPE_PUBLISHABLE_KEY', 'CLINIC_NAME', 'CLINIC_CONTACT']
      : [],
  ),
  ...['PAYMENT_RETRY_DAYS', 'PAYMENT_RECOVERY_DAYS']
    .filter((name) => settings[name]?.includes('.') === true)
    .map((name) => `${name}: must be whole days in production`),
  ...(settings['CODEC_PATH_TOKEN'] === undefined
    ? []
    : ['CODEC_PATH_TOKEN: is for development only; production sends the access token']),
];

const missing = (settings: Settings, names: readonly string[]): string[] =>
  names.filter((name) => settings[name] === undefined).map((name) => `${name}: is required in production`);

/** Services that send events; others may see the URL in shared settings. */
const eventSenders = ['organization', 'patients', 'bridge'];

/** Faults in every environment. */
export const incompleteFaults = (settings: Settings, hosted: readonly string[]): string[] => [
  ...(settings['EVENT_SINK_URL'] !== undefined &&
  settings['EVENT_SINK_SECRET'] === undefined &&
  hosted.some((name) => eventSenders.includes(name))
    ? ['EVENT_SINK_SECRET: is missing, and EVENT_SINK_URL is set']
    : []),
  ...[
    ['TEMPORAL_DEPLOYMENT_NAME', 'TEMPORAL_WORKER_BUILD_ID'],
    ['TLS_CERT_PATH', 'TLS_KEY_PATH'],
    ['TLS_KEY_PATH', 'TLS_CERT_PATH'],
  ].flatMap(([missing = '', given = '']) =>
    settings[given] !== undefined && settings[missing] === undefined
      ? [`${missing}: is missing, and ${given} is set`]
      : [],
  ),
  ...(/[,\s/]/.test(settings['TEMPORAL_ADDRESS'] ?? '')
    ? ['TEMPORAL_ADDRESS: must be one host:port; for several servers use a load balancer or one DNS name']
    : []),
];

/** The simulator of development signs anyone in, so it must not leave this machine. */
export const developmentFaults = (settings: Settings): string[] =>
  isLoopback(settings['HOST'] ?? '127.0.0.1') || isSet(settings['ALLOW_PUBLIC_DEVELOPMENT'])
    ? []
    : ['HOST: must be a loopback address outside production, unless ALLOW_PUBLIC_DEVELOPMENT=true'];

const isSet = (flag: string | undefined): boolean => z.stringbool().safeParse(flag).data === true;
const urlOf = (text = ''): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

function externalFaults(settings: Settings): string[] {
  const sandboxPort = settings['SANDBOX_PORT'] ?? String(Number(settings['PORT_BASE'] ?? 4000) + 100);
  const ofUrls = Object.keys(settings)
    .filter(isOutsideUrl)
    .flatMap((name) => {
      const url = urlOf(settings[name]);
      if (!url) return []; // missing, or reported by itself
      return [
        ...(url.protocol === 'https:' ? [] : [`${name}: must be an https URL in production`]),
        ...(isHere(url.hostname) ? [`${name}: must not be on loopback in production`] : []),
        ...(url.port === sandboxPort ? [`${name}: must not be the sandbox in production`] : []),
      ];
    });
  const ofPharmacies = pharmacySystems.map(variablesOf).flatMap(({ baseUrl, sandboxBaseUrl }) => {
    const live = settings[baseUrl];
    const isSame = live !== undefined && live === settings[sandboxBaseUrl];
    return isSame ? [`${sandboxBaseUrl}: must differ from ${baseUrl}`] : [];
  });
  const mailIsHere = isHere(settings['SMTP_HOST'] ?? 'elsewhere');
  const origins = (settings['INTAKE_ORIGINS'] ?? '').split(',').filter((origin) => origin.trim() !== '');
  const traces = urlOf(settings['OTEL_EXPORTER_OTLP_ENDPOINT']);
  return [
    ...ofUrls,
    ...(origins.every((origin) => urlOf(origin.trim())?.protocol === 'https:')
      ? []
      : ['INTAKE_ORIGINS: must be https origins in production']),
    ...(traces === undefined || traces.protocol === 'https:' || isLoopback(traces.hostname)
      ? []
      : ['OTEL_EXPORTER_OTLP_ENDPOINT: must be an https URL or on loopback in production']),
    ...ofPharmacies,
    ...(mailIsHere ? ['SMTP_HOST: must not be on loopback in production'] : []),
  ];
}

function secretFaults(settings: Settings): string[] {
  const faults: string[] = [];
  const purposes = new Map<string, Set<string>>();
  for (const [name, value] of Object.entries(settings)) {
    if (!/_(SECRET|KEYS?|TOKEN|PASSWORD)$/.test(name)) continue;
    if (/change-?me|example|sample|placeholder/i.test(value)) faults.push(`${name}: is a sample value`);
    for (const secret of name.endsWith('_KEYS') ? keysOf(value) : [value]) {
      if (isOneByte(secret)) faults.push(`${name}: is one byte repeated`);
      purposes.set(secret, (purposes.get(secret) ?? new Set()).add(name));
    }
    if (/_(SECRET|TOKEN|SECRET_KEY)$/.test(name) && value.length < minSecretCharacters)
      faults.push(`${name}: must have at least ${minSecretCharacters} characters in production`);
  }
  if (/^[sr]k_test_/.test(settings['STRIPE_SECRET_KEY'] ?? ''))
    faults.push('STRIPE_SECRET_KEY: is a test key');
  const publishable = settings['STRIPE_PUBLISHABLE_KEY'];
  if (publishable !== undefined && !publishable.startsWith('pk_live_'))
    faults.push('STRIPE_PUBLISHABLE_KEY: must be a live key in production, pk_live_…');
  for (const names of purposes.values())
    if (names.size > 1) faults.push(`${[...names].sort().join(', ')}: are the same secret`);
  return faults;
}

const keysOf = (ring: string): string[] =>
  ring
    .split(',')
    .map((entry) => Buffer.from(entry.slice(entry.indexOf(':') + 1), 'base64').toString('base64'));

/** `Buffer.from` skips invalid characters, so the whole text must match. */
const encodings = { utf8: /^/, hex: /^([0-9a-f]{2})+$/i, base64: /^[\w+/-]+=*$/ };

/** True if a secret, plain or decoded, is one byte repeated. */
const isOneByte = (secret: string): boolean =>
  (['utf8', 'hex', 'base64'] as const).some((encoding) => {
    if (!encodings[encoding].test(secret)) return false;
    const bytes = Buffer.from(secret, encoding);
    return bytes.length > 1 && bytes.every((byte) => byte === bytes[0]);
  });

function connectionFaults(settings: Settings): string[] {
  const faults: string[] = [];
  if (settings['DATABASE_TLS'] !== 'off')
    for (const [name, value] of Object.entries(settings))
      if (name.endsWith('_DATABASE_URL') && !asksForTls(value))
        faults.push(`${name}: must have sslmode=verify-full, unless DATABASE_TLS=off`);
  if (settings['SERVICES_TLS'] !== 'off')
    for (const name of ownUrls) {
      const url = urlOf(settings[name]);
      if (url && url.protocol !== 'https:' && !isLoopback(url.hostname))
        faults.push(`${name}: must be an https URL or on loopback, unless SERVICES_TLS=off`);
    }
  if (settings['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    faults.push('NODE_TLS_REJECT_UNAUTHORIZED: must not be 0 in production');
  if (isSet(settings['TEMPORAL_TLS_DISABLE_HOST_VERIFICATION']))
    faults.push('TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: is for development only');
  if (!isLoopback(settings['HOST'] ?? '127.0.0.1') && !settings['TRUSTED_PROXIES'])
    faults.push('TRUSTED_PROXIES: must list the gateways, or be none, if HOST is not loopback');
  try {
    if (!reachesTemporalSafely(settings))
      faults.push(
        'TEMPORAL_ADDRESS: must be on loopback or have TEMPORAL_TLS or TEMPORAL_API_KEY, unless TEMPORAL_TLS=off',
      );
  } catch {
    faults.push('TEMPORAL_CONFIG_FILE, TEMPORAL_TLS_…_PATH: name a file that cannot be read');
  }
  return faults;
}

/** The driver takes the last of several modes, so there may be one only. */
const asksForTls = (url: string): boolean =>
  urlOf(url)?.searchParams.getAll('sslmode').join() === 'verify-full';

function reachesTemporalSafely(settings: Settings): boolean {
  if (settings['TEMPORAL_TLS'] === 'off') return true;
  const { connectionOptions } = loadClientConnectConfig({ overrideEnvVars: { ...settings } });
  const { address = '127.0.0.1:7233', tls, apiKey } = connectionOptions;
  if ((tls !== undefined && tls !== false) || apiKey !== undefined) return true;
  return isLoopback(address.replace(/:\d+$/, ''));
}

const isLoopback = (host: string): boolean => rangeOf(host) === 'loopback';

const isHere = (host: string): boolean => ['loopback', 'unspecified'].includes(rangeOf(host));

function rangeOf(host: string): string {
  const name = host.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  return ipaddr.isValid(name) ? ipaddr.process(name).range() : 'a name';
}
