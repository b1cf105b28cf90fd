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
