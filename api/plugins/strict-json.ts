import type { FastifyReply, FastifyRequest } from 'fastify';
import { visit } from 'jsonc-parser';
import type { App } from '../context.js';
import { frameworkRefused } from '../errors.js';
import { HttpError } from '../http-errors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, of routes that keep its bytes; empty where there was none. */
    rawBody: Buffer;
  }
}

const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);

const isMediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** The body as JSON by our own strict reading; an empty one counts as none. @throws Refused 400, 415 */
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

const maxDepth = 64;

/**
 * Parses a request body and refuses what is valid JSON to some parser only, or would break further on: invalid
 * UTF-8, duplicate keys, `__proto__`, NUL and lone surrogates, nesting over 64, numbers that lose precision
 * (reliability point 6).
 * @throws Refused 400 with a text that names nothing of the body
 */
export function parseStrictJson(body: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw malformed('not valid UTF-8');
  }
  refuseHazards(text);
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

function refuseHazards(text: string): void {
  const openObjects: (Set<string> | undefined)[] = [];
  const open = (keys: Set<string> | undefined) => {
    openObjects.push(keys);
    if (openObjects.length > maxDepth) throw malformed(`nested deeper than ${maxDepth} levels`);
  };
  const close = () => void openObjects.pop();
  visit(
    text,
    {
      onObjectBegin: () => open(new Set()),
      onObjectEnd: close,
      onArrayBegin: () => open(undefined),
      onArrayEnd: close,
      onObjectProperty: (name) => {
        refuseText(name);
        if (name === '__proto__') throw malformed('key not allowed');
        const keys = openObjects.at(-1);
        if (keys?.has(name)) throw malformed('duplicate key');
        keys?.add(name);
      },
      onLiteralValue: (value: unknown) => {
        if (typeof value === 'string') refuseText(value);
        if (typeof value === 'number') refuseNumber(value);
      },
    },
    { disallowComments: true },
  );
}

function refuseText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw malformed('character not allowed');
}

function refuseNumber(value: number): void {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw malformed('number out of range');
}

const malformed = (why?: string) =>
  new HttpError(400, why === undefined ? 'Malformed JSON' : `Malformed JSON: ${why}`);
