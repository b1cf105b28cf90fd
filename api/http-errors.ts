import { z } from 'zod';

/** What a refusal says beside its text. */
interface Beside {
  /** In place of the status's own code, of services that answer with codes (D5). */
  code?: string;
  /** Under the names of the service's other answers, such as `{submissionId}`. */
  fields?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
}

/** What a handler throws to refuse a request. `api/errors.ts` words it in the service's own shape (D5). */
export class HttpError extends Error {
  override name = 'Refused';
  readonly safeToLog = true;
  constructor(
    readonly statusCode: number,
    text: string,
    readonly beside: Beside = {},
  ) {
    super(text);
  }
}

/** A value that a contract lets through and that is wrong all the same: a validation failure (400) like any other. */
export class InvalidField extends Error {
  override name = 'InvalidField';
  readonly safeToLog = true;
  constructor(
    /** Dotted. */
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

export const unauthorized = (text = 'Unauthorized') => new HttpError(401, text);
export const forbidden = (text = 'Forbidden') => new HttpError(403, text);
export const notFound = (text = 'Not found') => new HttpError(404, text);
export const conflict = (text: string, fields = {}) => new HttpError(409, text, { fields });

/** When the same request may find out more. */
const retryAfterSeconds = '10';

/** Not known yet, or not to be done now: the same request finds out later. @param fields what it goes by till then */
export const unavailable = (text: string, fields = {}) =>
  new HttpError(503, text, { fields, headers: { 'retry-after': retryAfterSeconds } });

/** @param what the kind of thing, where the service's answer names it */
export const unknown = (what?: string) => notFound(what === undefined ? undefined : `${what} not found`);

/** @throws Refused 404 for what is not there, or not for the caller */
export function found<T>(value: T | undefined, what?: string): T {
  if (value === undefined) throw unknown(what);
  return value;
}

/** Whether a text is an id that the database can look for. */
export const isUuid = (text: unknown): text is string => z.guid().safeParse(text).success;

/** An id out of a path, as the database takes it. @throws Refused 404: what is no id is nobody's */
export function idOf(text: string, what?: string): string {
  if (!isUuid(text)) throw unknown(what);
  return text.toLowerCase();
}

/** `{error}`: the shape of every refusal but a validation failure and an internal error (D5). */
export const httpError = z.object({ error: z.string() }).meta({ id: 'Refusal' });
const issues = z.array(z.object({ path: z.string(), message: z.string() })).optional();
const invalidIssues = httpError.extend({ details: issues }).meta({ id: 'ValidationRefusal' });
/** Malformed JSON has no details. */
const invalidFields = httpError
  .extend({
    details: z
      .object({ fieldErrors: z.record(z.string(), z.array(z.string())), formErrors: z.array(z.string()) })
      .optional(),
  })
  .meta({ id: 'FieldErrorsRefusal' });
export const internal = z.object({ error: z.string(), requestId: z.string() }).meta({ id: 'InternalError' });

/**
 * A run whose end is not known, with the id it goes by under the service's own name for it; or our Temporal is away,
 * and there is no id. `Retry-After` says when the same request may find out.
 */
export const unfinished = z.looseObject({ error: z.string() }).meta({ id: 'Unfinished' });

/** `{error: code, message}`: the shape of the services that answer with codes (D5). */
export const codedHttpError = z
  .object({ error: z.string(), message: z.string() })
  .meta({ id: 'CodedRefusal' });
const codedInvalid = codedHttpError.extend({ details: issues }).meta({ id: 'CodedValidationRefusal' });

export const codedUnfinished = z
  .looseObject({ error: z.string(), message: z.string() })
  .meta({ id: 'CodedUnfinished' });

/** The shapes of some of these statuses, for a route's contract. */
const choosing =
  <Shapes extends Record<number, z.ZodType>>(shapes: Shapes) =>
  <S extends keyof Shapes>(...statuses: S[]) =>
    Object.fromEntries(statuses.map((status) => [status, shapes[status]])) as Pick<Shapes, S>;

const refusals = {
  401: httpError,
  403: httpError,
  404: httpError,
  409: httpError,
  413: httpError,
  415: httpError,
  429: httpError,
  500: internal,
};
/** What a route answers to these statuses, in a service that lists its issues. */
export const issueErrors = choosing({ ...refusals, 400: invalidIssues, 503: unfinished });
/** As `issueErrors`, in a service that groups its issues by field. */
export const fieldErrors = choosing({ ...refusals, 400: invalidFields, 422: httpError, 503: unfinished });
/** As `issueErrors`, in a service that answers with codes. */
export const codedErrors = choosing({
  400: codedInvalid,
  401: codedHttpError,
  403: codedHttpError,
  404: codedHttpError,
  409: codedHttpError,
  413: codedHttpError,
  415: codedHttpError,
  429: codedHttpError,
  500: internal,
  502: codedHttpError,
  503: codedUnfinished,
});
