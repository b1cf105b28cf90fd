import type { Sql } from '../db/client.js';
import { keyRing } from '../platform/config-values.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { defaultStateDir, readDevJson } from '../dev/dev-json.js';
import { loadSecrets } from '../dev/start/secrets.js';
import { withDatabase } from './database.js';

/** Where keys are kept, and what their secrets are sealed with. */
export interface KeyStore {
  sql: Sql;
  ring: KeyRing;
}

/**
 * Opens the store of API keys for the length of a command: the one that `DATABASE_URL` (the migrator's) and
 * `SECRET_ENCRYPTION_KEYS` (the services' own) name, else that of the development system.
 */
export async function withKeyStore<T>(use: (store: KeyStore) => Promise<T>): Promise<T> {
  const { databaseUrl, encryptionKeys } = settings();
  const ring = new KeyRing(keyRing.parse(encryptionKeys));
  return withDatabase((sql) => use({ sql, ring }), databaseUrl);
}

/** @throws Error when the encryption keys of a database of one's own are missing: no service could read the secrets */
function settings(): { databaseUrl: string; encryptionKeys: string } {
  const { DATABASE_URL: given, SECRET_ENCRYPTION_KEYS: givenKeys } = process.env;
  if (given && givenKeys) return { databaseUrl: given, encryptionKeys: givenKeys };
  const { databaseUrl } = readDevJson();
  if (given && given !== databaseUrl)
    throw new Error('With DATABASE_URL also SECRET_ENCRYPTION_KEYS is needed, as the services have them.');
  const encryptionKeys = givenKeys ?? loadSecrets(defaultStateDir()).secretEncryptionKeys;
  return { databaseUrl, encryptionKeys };
}
