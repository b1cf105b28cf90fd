import type { FastifyRequest } from 'fastify';
import { parseStrictJson } from '../../platform/http/strict-json.js';
import type { App } from '../context.js';
import { Refused } from '../http-error.js';

const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);

const isMediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** The body as JSON by our own strict reading; an empty one counts as none. @throws Refused 415, JsonError */
export function readJsonBody(request: FastifyRequest, raw: Buffer): unknown {
  if (raw.length === 0) return undefined;
  if (!isJson(request.headers['content-type'])) throw new Refused(415, 'Unsupported content type');
  return parseStrictJson(raw);
}

/**
 * For routes that judge the bytes received before they are read: the body is kept as they came. A header that is no
 * content type at all, which the framework would refuse on arrival, waits for `readJsonBody` like any other (D3).
 */
export function acceptBytes(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async ({ headers }) => {
    const { 'content-type': type } = headers;
    if (type !== undefined && !isMediaType.test(type)) headers['content-type'] = 'application/octet-stream';
  });
}

/** For unsigned routes: JSON is parsed on arrival, everything else is 415. */
export function acceptStrictJson(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, readJsonBody(request, body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}
