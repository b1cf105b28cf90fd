import { type ApiKeyScope, type KeyFlags, putApiKey } from '../db/access/api-keys.js';
import type { Queryable } from '../db/client.js';
import type { KeyRing } from '../platform/crypto/key-ring.js';

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

/** What one of them is told, and how it is served. */
export function ownFlags(name: keyof typeof ownKeys): KeyFlags {
  const { flags }: OwnKey = ownKeys[name];
  return { receivesHolds: false, initialCallback: true, durable: false, ...flags };
}

/** Makes or restores one of them. It has no limit (D6): the clients' requests, which it follows, have theirs. */
export async function putOwnKey(
  sql: Queryable,
  ring: KeyRing,
  { name, id, secret }: { name: keyof typeof ownKeys; id: string; secret: string },
): Promise<void> {
  await putApiKey(sql, {
    id,
    name,
    sealedSecret: ring.encryptText(secret),
    scopes: ownKeys[name].scopes,
    physicianId: null,
    requestsPerMinute: 0,
    ...ownFlags(name),
    isActive: true,
  });
}
