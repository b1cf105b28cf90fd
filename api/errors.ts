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

/** The default text and code of each status (D5). A status without a text always gets one from its route. */
const statuses: Readonly<Record<number, { text?: string; code?: string }>> = {
  400: { text: 'Bad request', code: 'validation_failed' },
  401: { text: 'Unauthorized', code: 'unauthorized' },
  403: { text: 'Forbidden', code: 'forbidden' },
  404: { text: 'Not found', code: 'not_found' },
  405: { text: 'Method not allowed', code: 'method_not_allowed' },
  409: { code: 'conflict' },
  413: { text: 'Payload too large', code: 'payload_too_large' },
  414: { text: 'URI too long' },
  415: { text: 'Unsupported content type', code: 'unsupported_content_type' },
  429: { text: 'Too many requests', code: 'too_many_requests' },
  431: { text: 'Headers too large' },
  503: { code: 'unavailable' },
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's specification page requires 500 instead of 503 if Postgres is unavailable (D114). */
    failsWithoutPostgres?: true;
  }
}

/** Turns every failure into a response without a stack trace, HTML or parts of the payload. */
export function installErrorHandler(app: App, shape: ErrorShape, logger: Logger): void {
  app.setNotFoundHandler((_request, reply) => sendError(reply, shape, standardError(404)));
  app.setErrorHandler((error: FastifyError | InvalidField | HttpError, request, reply) => {
    if (error instanceof HttpError) return sendError(reply, shape, error);
    const away = isTemporalAway(error) ? 'Temporal' : isDatabaseAway(error) ? 'Postgres' : undefined;
    if (away !== undefined && !(away === 'Postgres' && request.routeOptions.config.failsWithoutPostgres)) {
      logger.warn({ err: error }, `${away} is unavailable`);
      return sendError(reply, shape, unavailable());
    }
    if (error instanceof InvalidField) return reply.code(400).send(validationBody(shape, [error]));
    if (hasZodFastifySchemaValidationErrors(error)) {
      return reply.code(400).send(validationBody(shape, issuesOf(error.validation)));
    }
    const statusCode = 'statusCode' in error ? error.statusCode : undefined;
    if (statusCode === 413) {
      // Closing the connection while the client still writes would reset it and lose the response.
      reply.removeHeader('connection');
      request.raw.resume();
    }
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
      return sendError(reply, shape, standardError(statusCode));
    }
    logger.error({ err: error, route: request.routeOptions.url ?? 'unknown' }, 'request failed');
    return reply.code(500).send({ error: 'Internal error', requestId: request.id });
  });
}

/** An error with the default text of its status. */
export const standardError = (statusCode: number, headers = {}): HttpError =>
  new HttpError(statusCode, statuses[statusCode]?.text ?? 'Bad request', { headers });

export const sendError = (
  reply: FastifyReply,
  shape: ErrorShape,
  { statusCode, message, details: { code, fields, headers = {} } }: HttpError,
): FastifyReply =>
  reply
    .code(statusCode)
    .headers(headers)
    .send({ ...errorBody(shape, statusCode, message, code), ...fields });

/** The example of an error for the OpenAPI document; undefined if each route has its own text. */
export function exampleOf(shape: ErrorShape, statusCode: number, isValidation: boolean): object | undefined {
  if (statusCode === 400 && isValidation)
    return validationBody(shape, [{ path: 'limit', message: 'Must be a number from 1 to 200' }]);
  const text = statuses[statusCode]?.text;
  return text === undefined ? undefined : errorBody(shape, statusCode, text);
}

const errorBody = (shape: ErrorShape, statusCode: number, message: string, code?: string) =>
  shape === 'code' ? { error: code ?? statuses[statusCode]?.code ?? 'refused', message } : { error: message };

const issuesOf = (validation: readonly ZodFastifySchemaValidationError[]) =>
  validation.map(({ instancePath, message }) => ({
    path: instancePath.split('/').filter(Boolean).map(decodePointer).join('.'),
    message: message ?? 'Invalid value',
  }));

function validationBody(shape: ErrorShape, found: readonly Pick<InvalidField, 'path' | 'message'>[]) {
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
