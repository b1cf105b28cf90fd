import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseStrictJson } from '../../platform/http/strict-json.js';
import type { App } from '../context.js';
import { frameworkRefused } from '../errors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, of routes that keep its bytes; empty where there was none. */
    rawBody: Buffer;
  }
}

const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);

const isMediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** The body as JSON by our own strict reading; an empty one counts as none. @throws Refused 415, JsonError */
function readJsonBody(request: FastifyRequest, raw: Buffer): unknown {
  if (raw.length === 0) return undefined;
  if (!isJson(request.headers['content-type'])) throw frameworkRefused(415);
  return parseStrictJson(raw);
}

/** JSON is parsed on arrival, everything else is 415. */
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

/**
 * For routes that look at the bytes of a body themselves: they are in `rawBody`, whatever the body claims to be. A
 * header that is no content type at all, which the framework would refuse on arrival, is let in like any other (D3).
 */
export function keepBytes(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer;
    done(null);
  });
  app.addHook('onRequest', async (request) => {
    request.rawBody = Buffer.alloc(0);
    const { headers } = request;
    const { 'content-type': type } = headers;
    if (type !== undefined && !isMediaType.test(type)) headers['content-type'] = 'application/octet-stream';
  });
}

/**
 * As `keepBytes`, for strict JSON that is read only once the bytes were judged.
 * @param judge refuses by throwing, before the content type and the JSON are looked at
 */
export function acceptBytes(
  app: App,
  judge?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  keepBytes(app);
  app.addHook('preValidation', async (request, reply) => {
    await judge?.(request, reply);
    request.body = readJsonBody(request, request.rawBody);
  });
}
