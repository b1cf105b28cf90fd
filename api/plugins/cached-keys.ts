import { type ApiKey, findApiKey } from '../../db/access/api-keys.js';
import type { Queryable } from '../../db/client.js';

/** A revoked key or a replaced secret can stay valid for this long. */
const cachedMs = 1_000;

/** Caches active keys, so that a frequent caller costs one query a second. */
export function cacheKeys(sql: Queryable) {
  const cache = new Map<string, { key: ApiKey; until: number }>();

  async function readKey(id: string): Promise<ApiKey | undefined> {
    const until = performance.now() + cachedMs;
    const key = await findApiKey(sql, id);
    if (key?.isActive) cache.set(id, { key, until });
    else cache.delete(id);
    return key;
  }

  return {
    readKey,
    async findKey(id: string): Promise<ApiKey | undefined> {
      const cached = cache.get(id);
      return cached && cached.until > performance.now() ? cached.key : readKey(id);
    },
  };
}
