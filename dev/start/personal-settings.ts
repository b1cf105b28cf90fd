import { pharmacySystems, variablesOf } from '../../domain/pharmacies.js';
import { careSettings } from './care-settings.js';
import type { Settings } from './ports.js';

/** Deadlines and intervals that are days in production and may be seconds here. */
const spans = [
  'PHARMACY_SILENCE_HOURS',
  'PHARMACY_SILENCE_CHECK_SECONDS',
  'PHARMACY_CANCEL_HOURS',
  'PAYMENT_RETRY_DAYS',
  'PAYMENT_RECOVERY_DAYS',
  'ORDER_SETTLE_SECONDS',
  'OWN_OUTAGE_MINUTES',
];

/** The address of each external service, and its credentials. */
const parties: Readonly<Record<string, readonly string[]>> = {
  EMR_BASE_URL: ['EMR_TOKEN', 'EMR_WEBHOOK_SECRET', 'MRN_SYSTEM_URI'],
  STRIPE_API_BASE: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PUBLISHABLE_KEY'],
  SHIPPING_BASE_URL: ['SHIPPING_API_KEY', 'SHIPPING_API_SECRET'],
  ...Object.fromEntries(
    pharmacySystems.map(variablesOf).flatMap((names): [string, string[]][] => [
      [names.baseUrl, [...names.credentials, names.webhookSecret, ...names.articles]],
      [names.sandboxBaseUrl, [names.sandboxWebhookSecret]],
    ]),
  ),
  SMTP_HOST: ['SMTP_PORT', 'SMTP_USER', 'SMTP_PASSWORD', 'MAIL_FROM'],
  TWILIO_BASE_URL: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
  CHAT_WEBHOOK_URL: [],
  CRM_WEBHOOK_URL: [],
  EVENT_SINK_URL: ['EVENT_SINK_SECRET', 'EVENT_SINK_TYPES'],
  IDP_JWKS_URL: ['IDP_ISSUER', 'IDP_AUDIENCE'],
  DNS_SERVERS: ['DOMAIN_TLS_PORT', 'DOMAIN_TLS_CA'],
};
const partySettings = new Set(Object.entries(parties).flatMap(([address, others]) => [address, ...others]));

const others =
  /^(HOST|PORT_BASE|[A-Z_]+_PORT|LOG_LEVEL|BUSINESS_TIMEZONE|CLINIC_NAME|CLINIC_CONTACT|ALLOW_PUBLIC_DEVELOPMENT|DATABASE_URL|OTEL_EXPORTER_OTLP_ENDPOINT|OTEL_TRACES_SAMPLER_ARG|TEMPORAL_(ADDRESS|NAMESPACE|UI_URL|API_KEY|TLS.*))$/;

/**
 * The settings that a user may set for `npm start` (D1 and a few). The address of an external service replaces the
 * sandbox's; its key counts only together with the address.
 * @throws Error for a live key of the payment processor, because development charges nobody
 */
export function personalSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const names = given.map(([name]) => name);
  const chosen = new Set(
    Object.entries(parties).flatMap(([address, others]) =>
      names.includes(address) ? [address, ...others] : [],
    ),
  );
  const settings = Object.fromEntries(
    given.filter(([name]) =>
      partySettings.has(name)
        ? chosen.has(name)
        : [...spans, ...careSettings].includes(name) || others.test(name),
    ),
  );
  if (/^[sr]k_live_/.test(settings['STRIPE_SECRET_KEY'] ?? ''))
    throw new Error('STRIPE_SECRET_KEY is a live key: development charges nobody, so give it a test key.');
  return settings;
}

/** True if a setting is a port of an external service. */
export const isPartySetting = (name: string): boolean => partySettings.has(name);
