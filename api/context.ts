import type { Client } from '@temporalio/client';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Sql } from '../db/client.js';
import type { Config } from '../platform/config.js';
import type { Logger } from '../platform/logger.js';
import type { Webhooks } from './openapi/webhooks.js';

/** What the routes of the codec server are given, which only notes who has asked. */
export interface Context {
  config: Config;
  logger: Logger;
  /** The pool of this service's own role. */
  sql: Sql;
  /** Whether its workers poll, where this process hosts them too. */
  workersPoll?: () => Promise<boolean>;
}

/** What the routes of any other service are given. */
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

/** The shape of a validation error (D5): one object per field, a list of issues, or a code with details. */
export type ErrorShape = 'fieldErrors' | 'issues' | 'code';

export interface Service<C extends Context = ServiceContext> {
  title: string;
  /** What it is for, in a sentence: the head of its OpenAPI page. */
  description: string;
  /** What it sends to addresses of others. */
  webhooks?: Webhooks;
  /** The name `health` answers with, and where (D2). */
  healthName: string;
  healthPaths: readonly string[];
  errorShape: ErrorShape;
  /** What `/ready` looks at: nothing where a service depends on nothing. */
  probes?: (context: C) => Partial<Record<'postgres' | 'temporal', () => Promise<unknown>>>;
  routes: ServiceRoutes<C>;
}
