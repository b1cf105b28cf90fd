import { takeSecretFiles } from '../../platform/config-files.js';
import { serviceNames, servicePortOffsets } from '../../platform/service-names.js';
import { developmentSuperadmin } from './admins.js';
import { seedDevelopment } from './seed.js';

/**
 * Seeds a development system that runs in containers, and prints the description that `SCRIPTRAIL_SYSTEM` names. It
 * needs the orchestrator's environment and `DATABASE_URL`.
 */
takeSecretFiles(process.env);
const { DATABASE_URL: databaseUrl, TEMPORAL_UI_URL: ui } = process.env;
if (databaseUrl === undefined)
  throw new Error('DATABASE_URL is missing: the address of the database, as its owner');
const env = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);
const { apiKeys, patients } = await seedDevelopment({ databaseUrl, env });
const services = Object.fromEntries(
  serviceNames.map((name) => [name, `http://127.0.0.1:${4000 + servicePortOffsets[name]}`]),
);
console.log(
  JSON.stringify({
    services,
    apiKeys,
    patients,
    temporal: { namespace: 'default', ui },
    admins: { superadmin: developmentSuperadmin.email },
  }),
);
