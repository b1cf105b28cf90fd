import { createSql } from '../../db/client.js';
import { loadConfig } from '../../platform/config.js';
import type { DevJson } from '../dev-json.js';
import { seedAdmins } from './admins.js';
import { seedApiKeys } from './api-keys.js';
import { seedPatients } from './patients.js';
import { seedPaymentProfiles } from './payment-profiles.js';
import { seedPhysicians } from './physicians.js';

export interface SeedContext {
  /** As the owner of the tables. */
  databaseUrl: string;
  /** The environment of the product: secrets, prescribers, and where the sandbox is. */
  env: Record<string, string>;
}

/**
 * The people and keys of a development system. Everything is found again by an id or identifier of its own, so a
 * second start adds nothing, and what was lost on one side only (a sandbox wiped, a new database) is made again.
 * @throws ConfigError, OutboundError when the sandbox does not answer as it should
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
