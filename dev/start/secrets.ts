import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { serviceNames, type ServiceName, type StoringService } from '../../platform/service-names.js';
import { writeFileAtomically } from '../atomic-file.js';

/** 64 characters satisfy the 32-byte rule of every signing secret. */
const token = () => randomBytes(32).toString('hex');
const keyRing = (id = 'k1') => `${id}:${randomBytes(32).toString('base64')}`;

const storingServices = serviceNames.filter((name): name is StoringService => name !== 'codec');

const generators = {
  postgresPassword: token,
  eventsCodecKeys: () => keyRing('events-1'),
  secretEncryptionKeys: keyRing,
  codecPathToken: () => randomBytes(16).toString('hex'),
  idHashSecret: token,
  adminJwtSecret: token,
  planTokenSecret: token,
  paymentLinkSecret: token,
  orchestratorApiSecret: token,
  intakeApiSecret: token,
  organizationApiSecret: token,
  worklistApiSecret: token,
  emrToken: token,
  stripeSecretKey: () => `sk_test_${token()}`,
  stripeWebhookSecret: () => `whsec_${token()}`,
  shippingApiKey: token,
  shippingApiSecret: token,
  pharmacyAApiKey: token,
  pharmacyBClientId: () => `pb-${randomBytes(8).toString('hex')}`,
  pharmacyBClientSecret: token,
  pharmacyAWebhookSecret: token,
  pharmacyBWebhookSecret: token,
  emrWebhookSecret: token,
  eventSinkSecret: token,
  accessDatabasePassword: token,
  twilioAccountSid: () => `AC${randomBytes(16).toString('hex')}`,
  twilioAuthToken: token,
  retentionDatabasePassword: token,
  ...(Object.fromEntries(serviceNames.map((name) => [`${name}DatabasePassword`, token])) as Record<
    `${ServiceName}DatabasePassword`,
    () => string
  >),
  ...(Object.fromEntries(
    storingServices.map((name) => [`${name}CodecKeys`, () => keyRing(`${name}-1`)]),
  ) as Record<`${StoringService}CodecKeys`, () => string>),
};

export type Secrets = Readonly<Record<keyof typeof generators, string>>;

/** The secrets of a development system. They survive restarts, and a new version adds its own. */
export function loadSecrets(stateDir: string): Secrets {
  const path = join(stateDir, 'secrets.json');
  const kept = existsSync(path)
    ? z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(path, 'utf8')))
    : {};
  const secrets = makeSecrets(kept);
  if (Object.keys(secrets).some((name) => !(name in kept)))
    writeFileAtomically(path, `${JSON.stringify(secrets, null, 2)}\n`, 0o600);
  return secrets;
}

export function makeSecrets(kept: Readonly<Record<string, string>> = {}): Secrets {
  const entries = Object.entries(generators).map(([name, generate]) => [name, kept[name] ?? generate()]);
  return Object.fromEntries(entries) as Secrets;
}
