/** A refusal that a handler answers with: status and body as the specification words them. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly safeToLog = true;
  constructor(
    readonly statusCode: number,
    readonly body: Readonly<Record<string, unknown>> & { error: string },
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(body.error);
  }
}

export const notFound = (error = 'Not found') => new HttpError(404, { error });
export const forbidden = () => new HttpError(403, { error: 'Forbidden' });

/** A value that a contract lets through and that is wrong all the same: 400 in the service's own shape (D5). */
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

/** A refusal that every service words in its own shape (D5): `{error: text}`, or a code with the text as message. */
export class Refused extends Error {
  override name = 'Refused';
  readonly safeToLog = true;
  constructor(
    readonly statusCode: number,
    text: string,
  ) {
    super(text);
  }
}

/** A refusal of a service that answers with codes (D5). */
export const refusedWith = (
  statusCode: number,
  code: string,
  message: string,
  details?: unknown,
): HttpError =>
  new HttpError(statusCode, { error: code, message, ...(details === undefined ? {} : { details }) });
