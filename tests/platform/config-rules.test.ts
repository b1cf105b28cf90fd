import { describe, expect, it, test } from '@jest/globals';
import { productEnvironment } from '../../dev/start/environment.js';
import { portsFrom } from '../../dev/start/ports.js';
import { makeSecrets } from '../../dev/start/secrets.js';
import { ConfigError, loadConfig } from '../../platform/config.js';
import { baseShape, serviceShapes } from '../../platform/config-shapes.js';
import { serviceNames } from '../../platform/service-names.js';
import { productionSettings } from '../helpers/production.js';

const development = productEnvironment({
  host: '127.0.0.1',
  ports: portsFrom({}),
  secrets: makeSecrets(),
  sandboxDataDir: '/data',
  settings: {},
});
const production = productionSettings(development, {
  sandbox: 'http://127.0.0.1:4100',
  outside: 'https://parties.example.org',
});

type Settings = Record<string, string | undefined>;

/** The whole error of a start with these settings; none if it starts. */
function refusalOf(env: Settings): string {
  try {
    loadConfig(env, serviceNames);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}
const faultsOf = (env: Settings): string[] =>
  refusalOf(env)
    .split('\n')
    .slice(1)
    .map((line) => line.trim());

const zeros = Buffer.alloc(32).toString('base64');
const same = 'c29tZSBzZWNyZXQgb2YgZm9ydHktdHdvIGNoYXJhY3RlcnM';
const notHttps = 'must be an https URL in production';
const onLoopback = 'must not be on loopback in production';
const isSandbox = 'must not be the sandbox in production';
const oneByte = 'is one byte repeated';
const tooHigh = 'must be at most 10 times its default in production';
const withoutTls = 'must have sslmode=verify-full, unless DATABASE_TLS=off';
const temporalOpen = 'must be on loopback or have TEMPORAL_TLS or TEMPORAL_API_KEY, unless TEMPORAL_TLS=off';
const noProxies = 'must list the gateways, or be none, if HOST is not loopback';
const twice = 'are the same secret';

/** Each by itself, in a production that is fit otherwise: what is set, and the one thing that is refused. */
const refused: [string, Settings, string][] = [
  ...[
    ...['EMR_BASE_URL', 'STRIPE_API_BASE', 'SHIPPING_BASE_URL', 'PHARMACY_A_BASE_URL', 'PHARMACY_B_BASE_URL'],
    ...['PHARMACY_A_SANDBOX_BASE_URL', 'PHARMACY_B_SANDBOX_BASE_URL', 'TWILIO_BASE_URL', 'IDP_JWKS_URL'],
    ...['CHAT_WEBHOOK_URL', 'CRM_WEBHOOK_URL', 'EVENT_SINK_URL'],
    ...['INTAKE_PUBLIC_URL', 'INTAKE_FORM_URL', 'ADMIN_PORTAL_URL'],
  ].map((name): [string, Settings, string] => [
    `${name} in the clear`,
    { [name]: `http://${name.toLowerCase().replaceAll('_', '-')}.example.org` },
    `${name}: ${notHttps}`,
  ]),
  ['a party on loopback', { EMR_BASE_URL: 'https://127.0.0.1/fhir' }, `EMR_BASE_URL: ${onLoopback}`],
  [
    'a party on loopback, by name',
    { STRIPE_API_BASE: 'https://localhost' },
    `STRIPE_API_BASE: ${onLoopback}`,
  ],
  [
    'a party on loopback, in IPv6',
    { IDP_JWKS_URL: 'https://[::1]:9443/jwks' },
    `IDP_JWKS_URL: ${onLoopback}`,
  ],
  ['a party at no address', { EMR_BASE_URL: 'https://0.0.0.0/fhir' }, `EMR_BASE_URL: ${onLoopback}`],
  ['mail on loopback', { SMTP_HOST: 'localhost' }, `SMTP_HOST: ${onLoopback}`],
  ['the sandbox', { EMR_BASE_URL: 'https://host.example.org:4100/fhir/R4' }, `EMR_BASE_URL: ${isSandbox}`],
  [
    'a test key',
    { STRIPE_SECRET_KEY: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc' },
    'STRIPE_SECRET_KEY: is a test key',
  ],
  [
    'test cards on the payment page (D163)',
    { STRIPE_PUBLISHABLE_KEY: 'pk_test_4eC39HqLyjWDarjtT1zdp7dc' },
    'STRIPE_PUBLISHABLE_KEY: must be a live key in production, pk_live_…',
  ],
  ...['STRIPE_PUBLISHABLE_KEY', 'CLINIC_NAME', 'CLINIC_CONTACT'].map((name): [string, Settings, string] => [
    `a payment page without ${name} (D163)`,
    { [name]: undefined },
    `${name}: is required in production`,
  ]),
  [
    'a database in the clear',
    { ROUTER_DATABASE_URL: 'postgres://r:p@db/rx' },
    `ROUTER_DATABASE_URL: ${withoutTls}`,
  ],
  [
    'a database where TLS is as the server likes',
    { INTAKE_DATABASE_URL: 'postgres://r:p@db/rx?sslmode=prefer' },
    `INTAKE_DATABASE_URL: ${withoutTls}`,
  ],
  [
    'a database whose certificate nobody checks',
    { INTAKE_DATABASE_URL: 'postgres://r:p@db/rx?sslmode=require' },
    `INTAKE_DATABASE_URL: ${withoutTls}`,
  ],
  [
    'a database with two modes, of which the driver takes the last',
    { INTAKE_DATABASE_URL: 'postgres://r:p@db/rx?sslmode=verify-full&sslmode=disable' },
    `INTAKE_DATABASE_URL: ${withoutTls}`,
  ],
  [
    'certificates that nobody checks',
    { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    'NODE_TLS_REJECT_UNAUTHORIZED: must not be 0 in production',
  ],
  ...['http://clinic.example.org', 'null'].map((origin): [string, Settings, string] => [
    `forms from ${origin}`,
    { INTAKE_ORIGINS: `https://clinic.example.org,${origin}` },
    'INTAKE_ORIGINS: must be https origins in production',
  ]),
  [
    'patients in the clear between our own services',
    { NOTIFICATION_URL: 'http://notification.internal:4005' },
    'NOTIFICATION_URL: must be an https URL or on loopback, unless SERVICES_TLS=off',
  ],
  [
    'traces in the clear',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://traces.example.org:4318' },
    'OTEL_EXPORTER_OTLP_ENDPOINT: must be an https URL or on loopback in production',
  ],
  [
    'a secret of a party that can be guessed',
    { EMR_TOKEN: 'x1' },
    'EMR_TOKEN: must have at least 16 characters in production',
  ],
  [
    'Temporal in the clear',
    { TEMPORAL_ADDRESS: 'temporal.example.org:7233' },
    `TEMPORAL_ADDRESS: ${temporalOpen}`,
  ],
  ['a codec key of zeros', { ROUTER_CODEC_KEYS: `r:${zeros}` }, `ROUTER_CODEC_KEYS: ${oneByte}`],
  [
    'an old key of one byte',
    {
      SECRET_ENCRYPTION_KEYS: `${development['SECRET_ENCRYPTION_KEYS']},old:${Buffer.alloc(32, 7).toString('base64')}`,
    },
    `SECRET_ENCRYPTION_KEYS: ${oneByte}`,
  ],
  ['a secret of one letter', { ID_HASH_SECRET: 'x'.repeat(40) }, `ID_HASH_SECRET: ${oneByte}`],
  ['a secret of one byte in hex', { PLAN_TOKEN_SECRET: 'ab'.repeat(32) }, `PLAN_TOKEN_SECRET: ${oneByte}`],
  [
    'a short secret',
    { ADMIN_JWT_SECRET: 'a-short-one-of-24-bytes' },
    'ADMIN_JWT_SECRET: must be at least 32 bytes',
  ],
  [
    'a short key',
    { EVENTS_CODEC_KEYS: 'e:c2hvcnQ=' },
    'EVENTS_CODEC_KEYS: must be id:base64 entries of 32-byte keys',
  ],
  [
    'a sample',
    { EMR_WEBHOOK_SECRET: 'change-me-change-me-change-me-change-me' },
    'EMR_WEBHOOK_SECRET: is a sample value',
  ],
  [
    'one secret for two purposes',
    { ADMIN_JWT_SECRET: same, ID_HASH_SECRET: same },
    `ADMIN_JWT_SECRET, ID_HASH_SECRET: ${twice}`,
  ],
  [
    'one key in two rings',
    { ROUTER_CODEC_KEYS: development['SECRET_ENCRYPTION_KEYS'] },
    `ROUTER_CODEC_KEYS, SECRET_ENCRYPTION_KEYS: ${twice}`,
  ],
  [
    'one service reading with the key of another',
    { ROUTER_CODEC_KEYS: `${development['ROUTER_CODEC_KEYS']},${development['INTAKE_CODEC_KEYS']}` },
    `INTAKE_CODEC_KEYS, ROUTER_CODEC_KEYS: ${twice}`,
  ],
  [
    'half an hour of asking',
    { PHARMACY_CANCEL_HOURS: '0.5' },
    'PHARMACY_CANCEL_HOURS: must be a whole number in production',
  ],
  [
    'callbacks into our network',
    { ALLOW_PRIVATE_CALLBACKS: 'true' },
    'ALLOW_PRIVATE_CALLBACKS: is for development only',
  ],
  ...[
    ['RATE_LIMIT_PER_KEY_PER_MINUTE', '6001'],
    ['RATE_LIMIT_UNVERIFIED_PER_MINUTE', '6001'],
    ['RATE_LIMIT_CODES_PER_MINUTE', '101'],
    ['RATE_LIMIT_CODES_PER_ADDRESS', '51'],
    ['RATE_LIMIT_COUPONS_PER_MINUTE', '201'],
    ['RATE_LIMIT_CARD_SESSIONS_PER_MINUTE', '201'],
  ].map(([name = '', value]): [string, Settings, string] => [
    `${name} that limits nobody`,
    { [name]: value },
    `${name}: ${tooHigh}`,
  ]),
  ['an open HOST without gateways', { HOST: '0.0.0.0' }, `TRUSTED_PROXIES: ${noProxies}`],
  [
    'the codec opened by an address',
    { CODEC_PATH_TOKEN: 'a0b1c2d3e4f5a6b7c8d9' },
    'CODEC_PATH_TOKEN: is for development only; production sends the access token',
  ],
  [
    'a live pharmacy that is the test one (D24)',
    { PHARMACY_B_SANDBOX_BASE_URL: production['PHARMACY_B_BASE_URL'] },
    'PHARMACY_B_SANDBOX_BASE_URL: must differ from PHARMACY_B_BASE_URL',
  ],
  [
    'no word of whether intakes need a proof (D86)',
    { INTAKE_REQUIRE_EMAIL_PROOF: undefined },
    'INTAKE_REQUIRE_EMAIL_PROOF: is required in production; true is recommended',
  ],
  [
    'the identity provider alone without a way to it (D142)',
    { ADMIN_SIGN_IN: 'provider', IDP_AUTHORIZE_URL: undefined },
    'IDP_AUTHORIZE_URL: is required where ADMIN_SIGN_IN is provider; without it the desk has no way in',
  ],
  ['no word of what it is', { NODE_ENV: undefined }, 'NODE_ENV: is missing'],
];

describe('production', () => {
  it('starts with settings that are fit for it', () => {
    expect(faultsOf(production)).toEqual([]);
  });

  test.each(refused)('refuses %s (D89)', (_what, settings, fault) => {
    expect(faultsOf({ ...production, ...settings })).toEqual([fault]);
  });

  test.each<[string, Settings, string]>([
    [
      'a Temporal of any name',
      { TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: 'true' },
      'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: is for development only',
    ],
    [
      'gateways that are half the Internet each',
      { HOST: '0.0.0.0', TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' },
      'TRUSTED_PROXIES: must be comma-separated addresses or CIDR ranges',
    ],
  ])('refuses %s (D89)', (_what, settings, fault) => {
    expect(faultsOf({ ...production, ...settings })).toEqual([fault]);
  });

  test('judges every URL that there is, but for those named here', () => {
    const shapes = [baseShape, ...Object.values(serviceShapes)];
    const urls = new Set(
      shapes.flatMap((shape) => Object.keys(shape)).filter((name) => /_(URL|API_BASE)$/.test(name)),
    );
    const unjudged = [...urls].filter(
      (name) => !refusalOf({ ...production, [name]: 'http://clear.example.org/' }).includes(name),
    );
    expect(unjudged).toEqual(['TEMPORAL_UI_URL']);
  });

  test.each<[string, Settings]>([
    [
      'Postgres without TLS, where that is said',
      { DATABASE_TLS: 'off', ROUTER_DATABASE_URL: 'postgres://r:p@db/rx' },
    ],
    ['Temporal without TLS, where that is said', { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_TLS: 'off' }],
    ['Temporal with TLS', { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_TLS: 'true' }],
    ['Temporal with an API key', { TEMPORAL_ADDRESS: 'cloud:7233', TEMPORAL_API_KEY: 'key' }],
    ['an open HOST behind gateways', { HOST: '0.0.0.0', TRUSTED_PROXIES: '10.0.0.0/8' }],
    ['an open HOST, where there are no gateways and that is said', { HOST: '::', TRUSTED_PROXIES: 'none' }],
    ['a key that begins as one byte in hex would', { ROUTER_CODEC_KEYS: `r:5555z${'Zk3mQ9'.repeat(6)}Zk=` }],
    ['a secret that begins so', { ID_HASH_SECRET: '5555 and then something longer by far' }],
    ['ten times a limit', { RATE_LIMIT_CODES_PER_MINUTE: '100' }],
    [
      'our own services over HTTP, where that is said',
      { ROUTER_URL: 'http://router.internal:4001', SERVICES_TLS: 'off' },
    ],
    ['our own services over TLS', { ROUTER_URL: 'https://router.internal:4001' }],
    ['our own services on loopback', { ROUTER_URL: 'http://127.0.0.1:4001' }],
    ['traces on loopback', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }],
    ['no word on optional parties', { EVENT_SINK_URL: undefined, EVENT_SINK_SECRET: undefined }],
  ])('takes %s', (_what, settings) => {
    expect(faultsOf({ ...production, ...settings })).toEqual([]);
  });

  it('tells all that is wrong at once, by the names of settings and never their values', () => {
    const all = Object.assign({ ...production }, ...refused.map(([, settings]) => settings)) as Settings;
    all['NODE_ENV'] = 'production';
    const message = refusalOf(all);
    expect(message.split('\n')[0]).toBe('Invalid configuration:');
    // Where cases set the same, the last of them stands; and the pharmacies differ by then.
    const standing = refused.filter(
      ([, settings, fault]) =>
        Object.entries(settings).every(([name, value]) => all[name] === value) &&
        !fault.includes('must differ'),
    );
    expect(standing.length).toBeGreaterThan(20);
    expect(standing.map(([, , fault]) => fault).filter((fault) => !message.includes(fault))).toEqual([]);
    for (const [name, value = ''] of Object.entries(all))
      if (value.length > 8 && name !== 'NODE_ENV') expect(message).not.toContain(value);
  });
});

describe('anywhere', () => {
  it('an address for events without the secret to sign them is refused: nothing would be sent', () => {
    expect(faultsOf({ ...development, EVENT_SINK_SECRET: undefined })).toEqual([
      'EVENT_SINK_SECRET: is missing, and EVENT_SINK_URL is set',
    ]);
  });

  it('workers are of a version of a deployment, or of none', () => {
    const [name, build] = ['TEMPORAL_DEPLOYMENT_NAME', 'TEMPORAL_WORKER_BUILD_ID'];
    expect(faultsOf({ ...development, [name]: 'scriptrail', [build]: '0.1.0' })).toEqual([]);
    expect(faultsOf({ ...development, [name]: 'scriptrail' })).toEqual([]);
    expect(faultsOf({ ...development, [build]: '0.1.0' })).toEqual([
      `${name}: is missing, and ${build} is set`,
    ]);
    // The server refuses such names with every poll.
    expect(faultsOf({ ...development, [name]: 'script.rail', [build]: '0.1.0' })).toEqual([
      `${name}: must be at most 128 letters, digits, dashes and underscores`,
    ]);
  });
});

describe('outside production', () => {
  test.each(['0.0.0.0', '::', '192.0.2.7', 'machine.example.org'])('HOST=%s is refused (D89)', (host) => {
    const fault = 'HOST: must be a loopback address outside production, unless ALLOW_PUBLIC_DEVELOPMENT=true';
    expect(faultsOf({ ...development, HOST: host })).toEqual([fault]);
    expect(faultsOf({ ...development, NODE_ENV: 'test', HOST: host })).toEqual([fault]);
    expect(faultsOf({ ...development, HOST: host, ALLOW_PUBLIC_DEVELOPMENT: 'false' })).toEqual([fault]);
    expect(faultsOf({ ...development, HOST: host, ALLOW_PUBLIC_DEVELOPMENT: 'true' })).toEqual([]);
  });

  test.each(['127.0.0.1', '127.9.9.9', '::1', 'localhost'])('HOST=%s is taken', (host) => {
    expect(faultsOf({ ...development, HOST: host })).toEqual([]);
  });

  it('starts with what npm start says', () => {
    expect(faultsOf(development)).toEqual([]);
  });
});
