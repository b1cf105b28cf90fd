import { createSql } from '../../db/client.js';
import { loadConfig } from '../../platform/config.js';
import type { DevJson } from '../dev-json.js';
import { seedAdmins } from './admins.js';
import { seedApiKeys } from './api-keys.js';
import { seedPatients } from './patients.js';
import { seedPaymentProfiles } from './payment-profiles.js';
import { seedPhysicians } from './physicians.js';

export interface SeedContext {
  /** Connects as the owner of the tables. */
  databaseUrl: string;
  /** The environment of the product. */
  env: Record<string, string>;
}

/**
 * Seeds the people and keys of a development system. Each has a fixed id or identifier, so another start adds only
 * what is missing.
 * @throws ConfigError, OutboundError if the sandbox does not answer as expected
 */
export async function seedDevelopment(context: SeedContext): Promise<Pick<DevJson, 'apiKeys' | 'patients'>> {
  const settings = loadConfig(context.env, ['orchestrator']).service('orchestrator');
  const sql = createSql(context.databaseUrl, { applicationName: 'seed', max: 2 });
  try {
    const [{ prescriberAId }, people] = await Promise.all([
      seedPhysicians(sql, settings),
      seedPatients(settings),
      seedAdmins(sql),
    ]);
    const apiKeys = await seedApiKeys(sql, settings, context.env, prescriberAId);
    await seedPaymentProfiles(sql, settings, people);
    const patients = people.map(({ emrPatientId, state, card }) => ({ emrPatientId, state, card }));
    return { apiKeys, patients };
  } finally {
    await sql.end();
  }
}
