import { type ApiKeyEntry, lockSealedSecrets, putSealedSecrets } from '../db/access/api-keys.js';
import type { Queryable, Sql } from '../db/client.js';
import type { AccessAction } from '../domain/access-events.js';
import { keyRing } from '../platform/config-values.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { noteAccess, withDatabase } from './database.js';

/** The tables of API keys, and the key ring that encrypts their secrets. */
export interface KeyStore {
  sql: Sql;
  ring: KeyRing;
}

/**
 * Opens the store of API keys for one command.
 * @throws Error without `SECRET_ENCRYPTION_KEYS`: it must be the ring of the services, or they cannot read the secrets
 */
export async function withKeyStore<T>(use: (store: KeyStore) => Promise<T>): Promise<T> {
  const { SECRET_ENCRYPTION_KEYS: encryptionKeys } = process.env;
  if (!encryptionKeys)
    throw new Error('SECRET_ENCRYPTION_KEYS is missing: set it to the ring of the services.');
  const ring = new KeyRing(keyRing.parse(encryptionKeys));
  return withDatabase((sql) => use({ sql, ring }));
}

/** Changes a key and records the access event in one transaction (D88). */
export const changeKey = <K extends ApiKeyEntry | undefined>(
  sql: Sql,
  action: AccessAction,
  change: (sql: Queryable) => Promise<K>,
): Promise<K> =>
  sql.begin(async (sql) => {
    const key = await change(sql);
    if (key) await noteAccess(sql, action, key.id);
    return key;
  });

/**
 * Encrypts all secrets with the ring's first key (D90). It is one transaction: if the ring lacks a key, nothing changes.
 * Secrets that have the first key already stay unchanged.
 */
export const resealSecrets = ({ sql, ring }: KeyStore) =>
  sql.begin(async (sql) => {
    const keyId = ring.current.id;
    const isCurrent = (sealed: string | null) => sealed === null || sealed.startsWith(`${keyId}:`);
    const reseal = (sealed: string, id: string): string => ring.encryptText(ring.decryptText(sealed, id), id);
    const all = await lockSealedSecrets(sql);
    const stale = all.filter((key) => !isCurrent(key.sealedSecret) || !isCurrent(key.sealedPreviousSecret));
    for (const { id, sealedSecret, sealedPreviousSecret: previous } of stale)
      await putSealedSecrets(sql, {
        id,
        sealedSecret: reseal(sealedSecret, id),
        sealedPreviousSecret: previous === null ? null : reseal(previous, id),
      });
    await noteAccess(sql, 'key.reseal', null);
    return { keyId, resealed: stale.length, current: all.length - stale.length };
  });
