import type { Client } from '@temporalio/client';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Sql } from '../db/client.js';
import type { Config } from '../platform/config.js';
import type { Logger } from '../platform/logger.js';

/** What the routes of a service are given. */
export interface ServiceContext {
  config: Config;
  logger: Logger;
  temporal: Client;
  /** The pool of this service's own role; the codec server has none. */
  sql: Sql;
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export type ServiceRoutes = (app: App, context: ServiceContext) => Promise<void>;
