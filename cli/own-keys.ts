import {
  type ApiKey,
  type ApiKeyScope,
  findApiKey,
  type KeyFlags,
  putApiKey,
  rotateApiKey,
} from '../db/access/api-keys.js';
import type { Queryable } from '../db/client.js';
import type { KeyRing } from '../platform/crypto/key-ring.js';
import { noteAccess } from './database.js';
import type { KeyStore } from './key-store.js';

interface OwnKey {
  scopes: ApiKeyScope[];
  flags?: Partial<KeyFlags>;
}

/** The keys that our own services call each other with: `<SERVICE>_API_KEY` and `<SERVICE>_API_SECRET`. */
export const ownKeys = {
  orchestrator: {
    scopes: ['router', 'registry', 'notification', 'timeline'],
    flags: { receivesHolds: true, initialCallback: false, durable: true },
  },
  intake: { scopes: ['notification', 'payments'] },
  organization: { scopes: ['notification'] },
  worklist: { scopes: ['worklist', 'timeline'] },
} satisfies Record<string, OwnKey>;

const graceSeconds = 24 * 3_600;

function flagsOf(name: keyof typeof ownKeys): KeyFlags {
  const { flags }: OwnKey = ownKeys[name];
  return { receivesHolds: false, initialCallback: true, durable: false, ownsFailures: false, ...flags };
}

/**
 * Creates or restores one of them; `signatureVersion` 2 takes nothing else (D158). It has no rate limit (D6): the requests of
 * clients that cause its calls have one.
 */
export async function putOwnKey(
  sql: Queryable,
  ring: KeyRing,
  { name, ...key }: { name: keyof typeof ownKeys; secret: string } & Pick<ApiKey, 'id' | 'signatureVersion'>,
): Promise<void> {
  await putApiKey(sql, {
    id: key.id,
    name,
    sealedSecret: ring.encryptText(key.secret, key.id),
    signatureVersion: key.signatureVersion,
    scopes: ownKeys[name].scopes,
    physicianId: null,
    requestsPerMinute: 0,
    ...flagsOf(name),
    isOwn: true,
    isActive: true,
  });
}

/**
 * Creates or restores all of them; an intact key stays and leaves no access event. The secret before stays valid for a
 * day (D4), in which the services restart.
 * @returns a line for each
 */
export async function restoreOwnKeys({ sql, ring }: KeyStore): Promise<string[]> {
  const lines: string[] = [];
  for (const name of Object.keys(ownKeys) as (keyof typeof ownKeys)[]) {
    const [idSetting, secretSetting] = [`${name.toUpperCase()}_API_KEY`, `${name.toUpperCase()}_API_SECRET`];
    const { [idSetting]: id, [secretSetting]: secret } = process.env;
    if (!id || !secret)
      throw new Error(`${id ? secretSetting : idSetting} is missing: the service's own key.`);
    const isNew = await sql.begin(async (sql) => {
      const kept = await findApiKey(sql, id);
      const old = kept && secretOf(ring, kept);
      const flags = Object.entries(flagsOf(name)) as [keyof KeyFlags, boolean][];
      const isIntact =
        kept?.isActive === true &&
        kept.isOwn &&
        kept.requestsPerMinute === 0 &&
        kept.signatureVersion === 2 &&
        kept.scopes.join() === ownKeys[name].scopes.join() &&
        flags.every(([flag, is]) => kept[flag] === is) &&
        old === secret;
      if (isIntact) return false;
      // Processes that have not restarted still sign with the old one.
      if (old !== undefined && old !== secret)
        await rotateApiKey(sql, { id, sealedSecret: ring.encryptText(secret, id), graceSeconds });
      await putOwnKey(sql, ring, { name, id, secret, signatureVersion: 2 });
      await noteAccess(sql, kept ? 'key.set' : 'key.create', id);
      return true;
    });
    lines.push(`${id}: ${isNew ? 'made' : 'unchanged'}, ${ownKeys[name].scopes.join(', ')}`);
  }
  return lines;
}

/** Undefined for a secret that belongs to another key, or was sealed with a ring that is gone. */
function secretOf(ring: KeyRing, { id, sealedSecret }: ApiKey): string | undefined {
  try {
    return sealedSecret === null ? undefined : ring.decryptText(sealedSecret, id);
  } catch {
    return undefined;
  }
}
