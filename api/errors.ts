import type { FastifyError, FastifyReply } from 'fastify';
import {
  hasZodFastifySchemaValidationErrors,
  type ZodFastifySchemaValidationError,
} from 'fastify-type-provider-zod';
import { isDatabaseAway } from '../db/client.js';
import type { Logger } from '../platform/logger.js';
import type { App, ErrorShape } from './context.js';
import { isTemporalAway } from '../starts/runs.js';
import { InvalidField, HttpError, unavailable } from './http-errors.js';

/** What the framework refuses by itself, in our words (D5). */
const frameworkRefusals: Readonly<Record<number, string>> = {
  400: 'Bad request',
  404: 'Not found',
  405: 'Method not allowed',
  413: 'Payload too large',
  414: 'URI too long',
  415: 'Unsupported content type',
  429: 'Too many requests',
  431: 'Headers too large',
};
const codes: Readonly<Record<number, string>> = {
  400: 'validation_failed',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_content_type',
  429: 'too_many_requests',
  503: 'unavailable',
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's page answers 500 where its rows cannot be read, so Postgres that is away is no 503 there (D114). */
    failsWithoutPostgres?: true;
  }
}

/** The one place where a failure becomes an answer: never a stack, never HTML, nothing of the payload. */
export function installErrorHandler(app: App, shape: ErrorShape, logger: Logger): void {
  app.setNotFoundHandler((_request, reply) => answer(reply, shape, frameworkRefused(404)));
  app.setErrorHandler((error: FastifyError | InvalidField | HttpError, request, reply) => {
    if (error instanceof HttpError) return answer(reply, shape, error);
    const away = isTemporalAway(error) ? 'Temporal' : isDatabaseAway(error) ? 'Postgres' : undefined;
    if (away !== undefined && !(away === 'Postgres' && request.routeOptions.config.failsWithoutPostgres)) {
      logger.warn({ err: error }, `${away} is away`);
      return answer(reply, shape, unavailable('Temporarily unavailable'));
    }
    if (error instanceof InvalidField) return reply.code(400).send(validationBody(shape, [error]));
    if (hasZodFastifySchemaValidationErrors(error)) {
      return reply.code(400).send(validationBody(shape, issuesOf(error.validation)));
    }
    const statusCode = 'statusCode' in error ? error.statusCode : undefined;
    if (statusCode === 413) {
      // A connection closed on a caller who still writes would be reset, and the answer lost with it.
      reply.removeHeader('connection');
      request.raw.resume();
    }
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
      return answer(reply, shape, frameworkRefused(statusCode));
    }
    logger.error({ err: error, route: request.routeOptions.url ?? 'unknown' }, 'request failed');
    return reply.code(500).send({ error: 'Internal error', requestId: request.id });
  });
}

/** What the framework, or we in its place, refuse whatever the route is. @param statusCode one of `frameworkRefusals` */
export const frameworkRefused = (statusCode: number, headers = {}): HttpError =>
  new HttpError(statusCode, frameworkRefusals[statusCode] ?? 'Bad request', { headers });

/** Sends a refusal, also before a route was found. */
export const answer = (
  reply: FastifyReply,
  shape: ErrorShape,
  { statusCode, message, beside: { code, fields, headers = {} } }: HttpError,
): FastifyReply =>
  reply
    .code(statusCode)
    .headers(headers)
    .send({ ...wording(shape, statusCode, message, code), ...fields });

/** What a service answers to a status whatever the route, for its page; undefined where each route has words of its own. */
export function wordsOf(shape: ErrorShape, statusCode: number, isValidation: boolean): object | undefined {
  if (statusCode === 400 && isValidation)
    return validationBody(shape, [{ path: 'limit', message: 'Must be a number from 1 to 200' }]);
  const text = { 401: 'Unauthorized', 403: 'Forbidden', ...frameworkRefusals }[statusCode];
  return text === undefined ? undefined : wording(shape, statusCode, text);
}

const wording = (
  shape: ErrorShape,
  statusCode: number,
  text: string,
  code = codes[statusCode] ?? 'refused',
) => (shape === 'code' ? { error: code, message: text } : { error: text });

interface Issue {
  /** Dotted. */
  path: string;
  message: string;
}

const issuesOf = (validation: readonly ZodFastifySchemaValidationError[]): Issue[] =>
  validation.map(({ instancePath, message }) => ({
    path: instancePath.split('/').filter(Boolean).map(decodePointer).join('.'),
    message: message ?? 'Invalid value',
  }));

function validationBody(shape: ErrorShape, found: readonly Issue[]) {
  const issues = found.map(({ path, message }) => ({ path, message }));
  switch (shape) {
    case 'fieldErrors': {
      const fieldErrors: Record<string, string[]> = {};
      for (const { path, message } of issues) if (path !== '') (fieldErrors[path] ??= []).push(message);
      const formErrors = issues.filter(({ path }) => path === '').map(({ message }) => message);
      return { error: 'Validation failed', details: { fieldErrors, formErrors } };
    }
    case 'issues':
      return { error: 'Validation failed', details: issues };
    case 'code':
      return { error: 'validation_failed', message: 'Validation failed', details: issues };
  }
}

const decodePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
