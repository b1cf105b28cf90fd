import type { Client } from '@temporalio/client';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Sql } from '../db/client.js';
import type { Config } from '../platform/config.js';
import type { Logger } from '../platform/logger.js';
import type { Webhooks } from './openapi/webhooks.js';

export interface Context {
  config: Config;
  logger: Logger;
  /** Connects with the service's own database role. */
  sql: Sql;
  /** Present if this process also hosts the service's workers. */
  workersPoll?: () => Promise<boolean>;
}

export interface ServiceContext extends Context {
  temporal: Client;
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export type ServiceRoutes<C extends Context = ServiceContext> = (app: App, context: C) => Promise<void>;

/** The shape of a validation error (D5): an object by field, a list of issues, or a code with details. */
export type ErrorShape = 'fieldErrors' | 'issues' | 'code';

export interface Service<C extends Context = ServiceContext> {
  title: string;
  description: string;
  webhooks?: Webhooks;
  healthName: string;
  healthPaths: readonly string[];
  errorShape: ErrorShape;
  probes?: (context: C) => Partial<Record<'postgres' | 'temporal', () => Promise<unknown>>>;
  routes: ServiceRoutes<C>;
}
