import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse as parseForm } from 'qs';
import type { FaultKind } from './faults.js';
import { now } from './ledger.js';
import type { Outside, Party } from './outside.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation's name in faults and records; a function if it depends on the request. */
    operation?: string | ((request: FastifyRequest) => string);
    /** True for the route of test orders. */
    test?: true;
  }
  interface FastifyRequest {
    exchange: Exchange;
  }
}

interface Exchange {
  /** The received bytes. */
  rawBody: string;
  arrivedAt: string;
  fault: FaultKind | null;
  /** True if the answer is an object, which the framework writes as JSON. */
  isObject: boolean;
}

/**
 * Accepts every body: it parses JSON and forms, and keeps anything else as text. Each external service validates what
 * the records then show.
 */
export function readBodies(app: FastifyInstance): void {
  app.decorateRequest('exchange');
  app.addHook('onRequest', async (request) => {
    request.exchange = { rawBody: '', arrivedAt: now(), fault: null, isObject: false };
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('*', { parseAs: 'string' }, (request, text, done) => {
    request.exchange.rawBody = text;
    done(null, parseBody(request.headers['content-type'] ?? '', text));
  });
}

function parseBody(contentType: string, text: string): unknown {
  if (text === '') return undefined;
  if (contentType.startsWith('application/x-www-form-urlencoded')) return parseForm(text);
  return parseJson(text);
}

/** Parsed if it is JSON, otherwise the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const FAULT_TEXT = 'Fault set in the sandbox';

/** Applies an external service's faults to all routes of the scope, and records every call before the answer. */
export function observe(scope: FastifyInstance, party: Party, outside: Outside): void {
  const operationOf = (request: FastifyRequest): string => {
    const { operation = 'unknown' } = request.routeOptions.config;
    return typeof operation === 'string' ? operation : operation(request);
  };
  /** @param responseBody as JSON, which a long list need not be turned into once more */
  const record = (request: FastifyRequest, status: number | null, responseBody = 'null'): void => {
    const entry = {
      target: party.target,
      operation: operationOf(request),
      method: request.method,
      path: request.url,
      headers: request.headers,
      body: request.body ?? null,
      status,
      fault: request.exchange.fault,
      at: request.exchange.arrivedAt,
      ...(request.routeOptions.config.test && { test: true as const }),
    };
    outside.requests.addLine(
      entry.target,
      `${JSON.stringify(entry).slice(0, -1)},"responseBody":${responseBody}}`,
    );
  };

  scope.addHook('preHandler', async (request, reply) => {
    if (request.headers['x-sandbox-bypass'] === '1') return;
    const call = `${request.url} ${JSON.stringify(request.body ?? null)}`;
    const fault = outside.faults.take(party.target, operationOf(request), call);
    if (!fault) return;
    request.exchange.fault = fault.kind;
    switch (fault.kind) {
      case 'delay':
        await sleep(fault.delayMs, undefined, { ref: false });
        return;
      case 'hold':
        await outside.faults.hold(fault, request.raw.socket);
        return;
      case 'status':
        if (fault.retryAfterSeconds !== undefined) void reply.header('retry-after', fault.retryAfterSeconds);
        return reply.code(fault.status).send(party.errorBody(fault.status, FAULT_TEXT));
      case 'drop':
        record(request, null);
        reply.hijack();
        request.raw.socket.destroy();
        return reply;
      case 'hang':
        record(request, null);
        return reply.hijack();
      case 'lost-answer':
        return;
    }
  });
  scope.addHook('preSerialization', async (request, _reply, payload) => {
    request.exchange.isObject = true;
    return payload;
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const { isObject } = request.exchange;
    const text =
      typeof payload !== 'string' ? 'null' : isObject ? payload : JSON.stringify(parseJson(payload));
    record(request, reply.statusCode, text);
    // The work is done, and the answer finds the connection closed.
    if (request.exchange.fault === 'lost-answer') request.raw.socket.destroy();
  });
}
