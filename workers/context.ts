import type { Client } from '@temporalio/client';
import type { Sql } from '../db/client.js';
import type { Config } from '../platform/config.js';
import type { Logger } from '../platform/logger.js';

/** Finds committed rows without their workflow. It is quick and harmless to repeat; its name appears in the log. */
export type Sweep = () => Promise<void>;

/** An attempt takes at most 25 s, so a row this late has lost its workflow. A sweep takes at most `limit` rows. */
export const overdue = { overdueSeconds: 30, limit: 500 };

export interface WorkerContext {
  config: Config;
  logger: Logger;
  temporal: Client;
  sql: Sql;
}
