import type { Sql } from '../db/client.js';
import { keyRing } from '../platform/config-values.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { withDatabase } from './database.js';

/** Where keys are kept, and what their secrets are sealed with. */
export interface KeyStore {
  sql: Sql;
  ring: KeyRing;
}

/**
 * Opens the store of API keys for the length of a command.
 * @throws Error without `SECRET_ENCRYPTION_KEYS`, the services' own: under another ring no service could read the secrets
 */
export async function withKeyStore<T>(use: (store: KeyStore) => Promise<T>): Promise<T> {
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = process.env;
  if (!encryptionKeys)
    throw new Error('SECRET_ENCRYPTION_KEYS is missing: the ring that the services seal secrets with.');
  const ring = new KeyRing(keyRing.parse(encryptionKeys));
  return withDatabase((sql) => use({ sql, ring }));
}
