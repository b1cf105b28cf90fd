import {
  type ApiKey,
  type ApiKeyScope,
  findApiKey,
  type KeyFlags,
  putApiKey,
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

/** Creates or restores all of them; an intact key stays and leaves no access event. @returns a line for each */
export async function restoreOwnKeys({ sql, ring }: KeyStore): Promise<string[]> {
  const lines: string[] = [];
  for (const name of Object.keys(ownKeys) as (keyof typeof ownKeys)[]) {
    const [idSetting, secretSetting] = [`${name.toUpperCase()}_API_KEY`, `${name.toUpperCase()}_API_SECRET`];
    const { [idSetting]: id, [secretSetting]: secret } = process.env;
    if (!id || !secret)
      throw new Error(`${id ? secretSetting : idSetting} is missing: the service's own key.`);
    const isNew = await sql.begin(async (sql) => {
      const kept = await findApiKey(sql, id);
      const flags = Object.entries(flagsOf(name)) as [keyof KeyFlags, boolean][];
      const isIntact =
        kept?.isActive === true &&
        kept.isOwn &&
        kept.requestsPerMinute === 0 &&
        kept.signatureVersion === 2 &&
        kept.scopes.join() === ownKeys[name].scopes.join() &&
        flags.every(([flag, is]) => kept[flag] === is) &&
        isSealed(ring, kept, secret);
      if (isIntact) return false;
      await putOwnKey(sql, ring, { name, id, secret, signatureVersion: 2 });
      await noteAccess(sql, kept ? 'key.set' : 'key.create', id);
      return true;
    });
    lines.push(`${id}: ${isNew ? 'made' : 'unchanged'}, ${ownKeys[name].scopes.join(', ')}`);
  }
  return lines;
}

/** False too for a secret that belongs to another key. */
function isSealed(ring: KeyRing, { id, sealedSecret }: ApiKey, secret: string): boolean {
  try {
    return sealedSecret !== null && ring.decryptText(sealedSecret, id) === secret;
  } catch {
    return false;
  }
}
