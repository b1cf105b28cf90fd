import { type ApiKey, findApiKey } from '../../db/access/api-keys.js';
import type { Queryable } from '../../db/client.js';

/** For that long a key that has ended, or a secret that was replaced, may still be taken. */
const rememberedMs = 1_000;

/** Finds keys, and remembers those there are for a second: who calls often costs one look a second. */
export function rememberKeys(sql: Queryable) {
  const remembered = new Map<string, { key: ApiKey; until: number }>();

  /** The key as the database has it. */
  async function findKeyAnew(id: string): Promise<ApiKey | undefined> {
    const until = performance.now() + rememberedMs;
    const key = await findApiKey(sql, id);
    if (key?.isActive) remembered.set(id, { key, until });
    else remembered.delete(id);
    return key;
  }

  return {
    findKeyAnew,
    /** The key as it was at most a second ago. */
    async findKey(id: string): Promise<ApiKey | undefined> {
      const known = remembered.get(id);
      return known && known.until > performance.now() ? known.key : findKeyAnew(id);
    },
  };
}
