import type { FastifyReply, FastifyRequest } from 'fastify';
import { visit } from 'jsonc-parser';
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
 * Parses a request body and rejects JSON that parsers read differently or that breaks later (reliability point 6):
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
  rejectHazards(text);
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

function rejectHazards(text: string): void {
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
        checkText(name);
        if (name === '__proto__') throw malformed('key not allowed');
        const keys = openObjects.at(-1);
        if (keys?.has(name)) throw malformed('duplicate key');
        keys?.add(name);
      },
      onLiteralValue: (value: unknown) => {
        if (typeof value === 'string') checkText(value);
        if (typeof value === 'number') checkNumber(value);
      },
    },
    { disallowComments: true },
  );
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
