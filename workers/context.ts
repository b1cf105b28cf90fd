import type { Client } from '@temporalio/client';
import type { Sql } from '../db/client.js';
import type { Config } from '../platform/config.js';
import type { Logger } from '../platform/logger.js';

/** What the activities of a queue are made from. */
export interface WorkerContext {
  config: Config;
  logger: Logger;
  temporal: Client;
  /** The pool of the queue's own service. */
  sql: Sql;
}
