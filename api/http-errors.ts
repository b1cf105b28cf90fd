import { z } from 'zod';
import type { ErrorCode } from './error-codes.js';

interface Details {
  /** Replaces the code of the status (D139). Services whose errors have codes also send it in the body (D5). */
  code?: ErrorCode;
  /** Additional fields of the body, such as `{submissionId}`. */
  fields?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
}

/** An error response that a handler throws. `api/errors.ts` formats it in the service's shape (D5). */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly safeToLog = true;
  constructor(
    readonly statusCode: number,
    text: string,
    readonly details: Details = {},
  ) {
    super(text);
  }
}

/** A validation error (400) that the contract cannot express. */
export class InvalidField extends Error {
  override name = 'InvalidField';
  readonly safeToLog = true;
  constructor(
    /** Field names joined by dots. */
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

export const unauthorized = (text = 'Unauthorized') => new HttpError(401, text);
export const forbidden = (text = 'Forbidden') => new HttpError(403, text);
export const notFound = (text = 'Not found') => new HttpError(404, text);
export const conflict = (text: string, fields = {}, code: ErrorCode = 'conflict') =>
  new HttpError(409, text, { fields, code });
const retryAfterSeconds = '10';
/** The outcome is not known yet, or the request cannot be processed now. The same request can be retried. */
export const unavailable = (text = 'Temporarily unavailable', fields = {}) =>
  new HttpError(503, text, { fields, headers: { 'retry-after': retryAfterSeconds } });

/** @param what the kind of record, if the error names it */
export const unknown = (what?: string) => notFound(what === undefined ? undefined : `${what} not found`);

/** @throws HttpError 404 for a value that does not exist or belongs to another caller */
export function found<T>(value: T | undefined, what?: string): T {
  if (value === undefined) throw unknown(what);
  return value;
}

/** Only such a text can be passed to the database as an id. */
export const isUuid = (text: unknown): text is string => z.guid().safeParse(text).success;

/** An id from a path in the database's form. @throws HttpError 404 for a malformed id */
export function idOf(text: string, what?: string): string {
  if (!isUuid(text)) throw unknown(what);
  return text.toLowerCase();
}

/** `{error}`: the shape of every error but a validation error and an internal error (D5). */
export const httpError = z.object({ error: z.string() }).meta({ id: 'HttpError' });
const issues = z.array(z.object({ path: z.string(), message: z.string() })).optional();
const invalidIssues = httpError.extend({ details: issues }).meta({ id: 'ValidationError' });
/** Malformed JSON has no details. */
const invalidFields = httpError
  .extend({
    details: z
      .object({ fieldErrors: z.record(z.string(), z.array(z.string())), formErrors: z.array(z.string()) })
      .optional(),
  })
  .meta({ id: 'FieldValidationError' });
export const internal = z.object({ error: z.string(), requestId: z.string() }).meta({ id: 'InternalError' });
/** The outcome of a workflow is not known yet, with its id; or Temporal is unavailable, without an id. */
export const unfinished = z.looseObject({ error: z.string() }).meta({ id: 'Unfinished' });

/** `{error: code, message}`: the shape in services whose errors have codes (D5). */
export const codedHttpError = z
  .object({ error: z.string(), message: z.string() })
  .meta({ id: 'CodedHttpError' });
const codedInvalid = codedHttpError.extend({ details: issues }).meta({ id: 'CodedValidationError' });
export const codedUnfinished = z
  .looseObject({ error: z.string(), message: z.string() })
  .meta({ id: 'CodedUnfinished' });

type ErrorSchema = z.ZodType<{ error: string }>;
function errorsWith(error: ErrorSchema, invalid: ErrorSchema, unfinished: ErrorSchema) {
  const same = { 401: error, 403: error, 404: error, 409: error, 413: error, 415: error, 422: error };
  const schemas = { ...same, 400: invalid, 429: error, 500: internal, 502: error, 503: unfinished };
  return <S extends keyof typeof schemas>(...statuses: S[]) =>
    Object.fromEntries(statuses.map((status) => [status, schemas[status]])) as Pick<typeof schemas, S>;
}
/** The schemas of these statuses, for a service that lists its validation issues. */
export const issueErrors = errorsWith(httpError, invalidIssues, unfinished);
/** As `issueErrors`, for a service that groups validation issues by field. */
export const fieldErrors = errorsWith(httpError, invalidFields, unfinished);
/** As `issueErrors`, for a service whose errors have codes. */
export const codedErrors = errorsWith(codedHttpError, codedInvalid, codedUnfinished);
