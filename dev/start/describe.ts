import type { DevJson } from '../dev-json.js';
import { developmentSuperadmin } from '../seed/admins.js';
import { careSettingsInForce } from './care-settings.js';
import { addressesOf, type Plan } from './environment.js';
import type { Supervisor } from './supervisor.js';

export function pidsOf(supervisor: Supervisor): DevJson['pids'] {
  const { product = 0, api = product, workers = product, sandbox = 0, ...servers } = supervisor.pids();
  return { ...servers, sandbox, api, workers };
}

/** The content of `dev.json`. */
export function describe(
  plan: Plan,
  seeded: Pick<DevJson, 'apiKeys' | 'patients'>,
  { split, pids }: { split: boolean; pids: DevJson['pids'] },
): DevJson {
  const {
    health,
    workersHealth,
    services,
    sandbox,
    temporal,
    databaseUrl,
    emrBaseUrl,
    stripeApiBase,
    intakeOrigins,
  } = addressesOf(plan);
  const { secrets, settings } = plan;
  return {
    services,
    health: { api: health, workers: split ? workersHealth : health },
    sandbox,
    temporal,
    databaseUrl,
    apiKeys: seeded.apiKeys,
    emr: { baseUrl: emrBaseUrl, token: settings['EMR_TOKEN'] ?? secrets.emrToken },
    stripe: {
      apiBase: stripeApiBase,
      secretKey: settings['STRIPE_SECRET_KEY'] ?? secrets.stripeSecretKey,
      coupons: [
        { id: 'WELCOME25', percentOff: 25 },
        { id: 'TENOFF', amountOffCents: 1000 },
        { id: 'EXPIRED', percentOff: 50, valid: false },
      ],
    },
    admins: { superadmin: developmentSuperadmin.email },
    webhookSecrets: {
      pharmacy_a: settings['PHARMACY_A_WEBHOOK_SECRET'] ?? secrets.pharmacyAWebhookSecret,
      pharmacy_b: settings['PHARMACY_B_WEBHOOK_SECRET'] ?? secrets.pharmacyBWebhookSecret,
      emr: settings['EMR_WEBHOOK_SECRET'] ?? secrets.emrWebhookSecret,
      events: settings['EVENT_SINK_SECRET'] ?? secrets.eventSinkSecret,
      stripe: settings['STRIPE_WEBHOOK_SECRET'] ?? secrets.stripeWebhookSecret,
    },
    intakeOrigins,
    settings: careSettingsInForce(settings),
    pids,
    patients: seeded.patients,
  };
}
