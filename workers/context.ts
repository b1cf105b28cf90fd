import type { Client } from '@temporalio/client';
import type { Sql } from '../db/client.js';
import type { Config } from '../platform/config.js';
import type { Logger } from '../platform/logger.js';

export interface WorkerContext {
  config: Config;
  logger: Logger;
  temporal: Client;
  sql: Sql;
}
