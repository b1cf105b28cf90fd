import { createHmac } from 'node:crypto';
import { type ApiKeyScope, putApiKey } from '../../db/access/api-keys.js';
import { ownKeys, putOwnKey } from '../../cli/own-keys.js';
import type { Sql } from '../../db/client.js';
import type { ServiceConfig } from '../../platform/config.js';
import { KeyRing } from '../../platform/crypto/key-ring.js';
import type { DevJson } from '../dev-json.js';

interface SeededKey {
  scopes: ApiKeyScope[];
  inactive?: true;
  bindsPrescriberA?: true;
  /** Flags that differ from the default (D103). */
  flags?: { receivesHolds?: true; initialCallback?: false };
}

const seededKeys: Record<string, SeededKey> = {
  approvals: { scopes: ['orchestrator'] },
  clinic: { scopes: ['router'] },
  clinic_b: { scopes: ['router'] },
  clinic_holds: { scopes: ['router'], flags: { receivesHolds: true } },
  clinic_quiet: { scopes: ['router'], flags: { initialCallback: false } },
  registry: { scopes: ['registry'] },
  physician_a: { scopes: ['registry'], bindsPrescriberA: true },
  notifier: { scopes: ['notification'] },
  inactive: { scopes: ['router'], inactive: true },
  admin: { scopes: ['admin'] },
};

/**
 * Creates or restores the keys in `dev.json`. A key's id is its name. `DEV_SEED_SECRET`, else the encryption keys,
 * derives each secret that no setting gives, so secrets stay the same at each start.
 */
export async function seedApiKeys(
  sql: Sql,
  { SECRET_ENCRYPTION_KEYS }: ServiceConfig<'orchestrator'>,
  env: Record<string, string>,
  prescriberAId: string,
): Promise<DevJson['apiKeys']> {
  const keys = new KeyRing(SECRET_ENCRYPTION_KEYS);
  const seed = env['DEV_SEED_SECRET'] ?? env['SECRET_ENCRYPTION_KEYS'] ?? '';
  const derivedSecret = (name: string) => createHmac('sha256', seed).update(`api-key:${name}`).digest('hex');

  const own = await Promise.all(
    (Object.keys(ownKeys) as (keyof typeof ownKeys)[]).map(async (name) => {
      const secret = env[`${name.toUpperCase()}_API_SECRET`] ?? derivedSecret(name);
      // `dev.json` hands them to people, who may sign by version 1.
      await putOwnKey(sql, keys, { name, id: name, secret, signatureVersion: 1 });
      const { scopes, flags }: { scopes: ApiKeyScope[]; flags?: object } = ownKeys[name];
      return [name, { key: name, secret, scopes, ...flags }] as const;
    }),
  );
  const clients = await Promise.all(
    Object.entries(seededKeys).map(async ([name, { scopes, inactive, bindsPrescriberA, flags }]) => {
      const secret = derivedSecret(name);
      await putApiKey(sql, {
        id: name,
        name,
        sealedSecret: keys.encryptText(secret, name),
        scopes,
        physicianId: bindsPrescriberA ? prescriberAId : null,
        requestsPerMinute: null,
        signatureVersion: 1,
        receivesHolds: false,
        initialCallback: true,
        durable: false,
        ownsFailures: false,
        ...flags,
        isActive: !inactive,
      });
      return [
        name,
        {
          key: name,
          secret,
          scopes,
          ...flags,
          ...(bindsPrescriberA ? { physicianId: prescriberAId } : {}),
        },
      ] as const;
    }),
  );
  return { ...Object.fromEntries(own), ...Object.fromEntries(clients) };
}
