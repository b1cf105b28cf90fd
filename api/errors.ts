import type { FastifyError, FastifyReply } from 'fastify';
import {
  hasZodFastifySchemaValidationErrors,
  type ZodFastifySchemaValidationError,
} from 'fastify-type-provider-zod';
import { isDatabaseAway } from '../db/client.js';
import type { Logger } from '../platform/logger.js';
import type { App, ErrorShape } from './context.js';
import { codeOfStatus, type ErrorCode, errorHeaders, type OwnCodes } from './error-codes.js';
import { isTemporalAway } from '../starts/runs.js';
import { InvalidField, HttpError, unavailable } from './http-errors.js';

/** The default text of each status (D5). A status without a text always gets one from its route. */
const texts: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  413: 'Payload too large',
  415: 'Unsupported content type',
  429: 'Too many requests',
  431: 'Headers too large',
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's specification page requires 500 instead of 503 if Postgres is unavailable (D114). */
    failsWithoutPostgres?: true;
    /** The codes that the route gives its errors beside those of their statuses (D139). */
    errorCodes?: OwnCodes;
  }
}

/** Turns every failure into a response without a stack trace, HTML or parts of the payload. */
export function installErrorHandler(app: App, shape: ErrorShape, logger: Logger): void {
  app.addHook('onSend', async (_request, reply) => {
    const { statusCode } = reply;
    if (statusCode >= 400 && reply.getHeader('error-code') === undefined)
      void reply.headers(errorHeaders(statusCode, codeOfStatus(statusCode)));
  });
  app.setNotFoundHandler((_request, reply) => sendError(reply, shape, standardError(404)));
  app.setErrorHandler((error: FastifyError | InvalidField | HttpError, request, reply) => {
    if (error instanceof HttpError) return sendError(reply, shape, error);
    const away = isTemporalAway(error) ? 'Temporal' : isDatabaseAway(error) ? 'Postgres' : undefined;
    if (away !== undefined && !(away === 'Postgres' && request.routeOptions.config.failsWithoutPostgres)) {
      logger.warn({ err: error }, `${away} is unavailable`);
      return sendError(reply, shape, unavailable());
    }
    const issues =
      error instanceof InvalidField
        ? [error]
        : hasZodFastifySchemaValidationErrors(error)
          ? issuesOf(error.validation)
          : undefined;
    if (issues)
      return reply
        .code(400)
        .headers(errorHeaders(400, 'validation_failed'))
        .send(validationBody(shape, issues));
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
    return reply
      .code(500)
      .headers(errorHeaders(500, away ? 'unavailable' : 'internal'))
      .send({ error: 'Internal error', requestId: request.id });
  });
}

/** An error with the default text of its status. */
export const standardError = (statusCode: number, headers = {}): HttpError =>
  new HttpError(statusCode, texts[statusCode] ?? 'Bad request', { headers });

export const sendError = (
  reply: FastifyReply,
  shape: ErrorShape,
  { statusCode, message, details: { code, fields, headers = {} } }: HttpError,
): FastifyReply =>
  reply
    .code(statusCode)
    .headers({ ...errorHeaders(statusCode, code ?? codeOfStatus(statusCode)), ...headers })
    .send({ ...errorBody(shape, statusCode, message, code), ...fields });

/** The example of an error for the OpenAPI document; undefined if each route has its own text. */
export function exampleOf(shape: ErrorShape, statusCode: number, isValidation: boolean): object | undefined {
  if (statusCode === 400 && isValidation)
    return validationBody(shape, [{ path: 'limit', message: 'Must be a number from 1 to 200' }]);
  const text = texts[statusCode];
  return text === undefined ? undefined : errorBody(shape, statusCode, text);
}

const errorBody = (shape: ErrorShape, statusCode: number, message: string, code?: ErrorCode) =>
  shape === 'code' ? { error: code ?? codeOfStatus(statusCode), message } : { error: message };

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
