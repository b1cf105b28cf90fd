import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../context.js';
import { standardError } from '../errors.js';
import { HttpError } from '../http-errors.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads a verified body of another media type than JSON; undefined leaves it to JSON. */
    readBody?: (request: FastifyRequest) => unknown;
  }
  interface FastifyRequest {
    /** The raw body, in scopes that keep it; empty without a body. */
    rawBody: Buffer;
  }
}

const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);

const isMediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** @returns undefined for an empty body. @throws HttpError 400, 415 */
function readJsonBody(request: FastifyRequest, raw: Buffer): unknown {
  if (raw.length === 0) return undefined;
  if (!isJson(request.headers['content-type'])) throw standardError(415);
  return parseStrictJson(raw);
}

export function acceptStrictJson(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    readJsonBody(request, body),
  );
}

/** Keeps the raw body of any content type, including a malformed one that the framework would reject early (D3). */
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

/** As `keepBytes`, then parses strict JSON. @param verify throws to reject the raw body before it is parsed */
export function acceptBytes(
  app: App,
  verify?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
): void {
  keepBytes(app);
  app.addHook('preValidation', async (request, reply) => {
    await verify?.(request, reply);
    const { readBody } = request.routeOptions.config;
    request.body = readBody?.(request) ?? readJsonBody(request, request.rawBody);
  });
}

const maxDepth = 64;

/**
 * Parses a request body. Rejects JSON that parsers read differently or that breaks later (reliability point 6). That is
 * invalid UTF-8, duplicate keys, `__proto__`, NUL, lone surrogates, nesting over 64, numbers that lose precision.
 * @throws HttpError 400 with a text that contains no part of the body
 */
export function parseStrictJson(body: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw malformed('not valid UTF-8');
  }
  const { colons, depth } = scan(text);
  if (depth > maxDepth) throw malformed(`nested deeper than ${maxDepth} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed();
  }
  // The parser keeps the last of duplicate keys, so fewer keys remain than the text has colons. Counting them needs no
  // second parser: a body of 1 MiB takes 0.05 s at most.
  if (countKeys(value) !== colons) throw malformed('duplicate key');
  return value;
}

/** Rejects hazards in what the parser made. @returns the number of keys of all its objects */
function countKeys(value: unknown): number {
  if (typeof value === 'string') checkText(value);
  if (typeof value === 'number') checkNumber(value);
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countKeys(item);
  else
    for (const [key, item] of Object.entries(value)) {
      checkText(key);
      if (key === '__proto__') throw malformed('key not allowed');
      count += 1 + countKeys(item);
    }
  return count;
}

const codeOf = (character: string) => character.charCodeAt(0);
const [quote, backslash, colon] = [codeOf('"'), codeOf('\\'), codeOf(':')];
const opening: readonly number[] = [codeOf('{'), codeOf('[')];
const closing: readonly number[] = [codeOf('}'), codeOf(']')];

/** Counts the colons outside strings, and the deepest nesting, also of text that is no JSON. */
function scan(text: string): { colons: number; depth: number } {
  let [colons, depth, open] = [0, 0, 0];
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isInString = !isInString;
    else if (isInString) at += code === backslash ? 1 : 0;
    else if (code === colon) colons += 1;
    else if (opening.includes(code)) depth = Math.max(depth, (open += 1));
    else if (closing.includes(code)) open -= 1;
  }
  return { colons, depth };
}

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw malformed('character not allowed');
}

function checkNumber(value: number): void {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw malformed('number out of range');
}

const malformed = (why?: string) =>
  new HttpError(400, why === undefined ? 'Malformed JSON' : `Malformed JSON: ${why}`);
