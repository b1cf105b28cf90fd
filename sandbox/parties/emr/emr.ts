import { createHmac } from 'node:crypto';
import {
  getStatus,
  isResourceType,
  normalizeOperationOutcome,
  type OperationOutcomeError,
} from '@medplum/core';
import { FhirRouter, type FhirRequest, type HttpMethod } from '@medplum/fhir-router';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { now } from '../../ledger.js';
import type { Outside, Party } from '../../outside.js';
import { postWebhook } from '../webhook.js';
import { capabilityStatement } from './capability.js';
import { EmrManners, nextPage, pageOf, usualManners } from './manners.js';
import { EmrRepository } from './repository.js';

const BASE = '/fhir/R4';
const event = z.strictObject({ event: z.string().min(1), resource: z.record(z.string(), z.unknown()) });
const resource = z.looseObject({
  id: z.string().optional(),
  meta: z.looseObject({ versionId: z.string(), lastUpdated: z.string() }).partial().optional(),
});

const outcome = (code: string, text: string) => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code, details: { text } }],
});

/** The EMR: a FHIR R4 server with one bearer token. */
export async function createEmr(outside: Outside): Promise<Party> {
  const { config } = outside;
  const repository = await EmrRepository.open(outside.ledgerFile('emr'));
  const manners = new EmrManners(outside.ledgerFile('emr-manners'));
  const engine = new FhirRouter();

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    void reply.type('application/fhir+json; charset=utf-8');
    const path = request.url.slice(BASE.length);
    const [, type = ''] = /^\/([^/?]*)/.exec(path) ?? [];
    if (request.method === 'GET' && type === 'metadata') return reply.send(capabilityStatement(request));
    if (request.headers.authorization !== `Bearer ${config.SANDBOX_EMR_TOKEN}`) {
      return reply.code(401).send(outcome('login', 'A valid bearer token is required'));
    }
    if (type !== '' && !isResourceType(type)) {
      return reply.code(404).send(outcome('not-found', 'Unknown resource type'));
    }
    if (typeof request.body === 'string') return reply.code(400).send(outcome('structure', 'Malformed JSON'));
    if (needsResource(request) && !isObject(request.body)) {
      return reply.code(400).send(outcome('structure', 'A resource is required'));
    }
    const { create, conditional, page } =
      request.headers['x-sandbox-bypass'] === '1' ? usualManners : manners.current;
    const asked = toEngine(request, path);
    if (!conditional) delete asked.headers?.['if-none-exist'];
    if (page !== null && operationOf(request) === 'search')
      return reply.send(await searchPage(request, asked, page));
    const [result, found] = await engine.handleRequest(asked, repository);
    if (found?.meta?.versionId) {
      void reply.header('etag', `W/"${found.meta.versionId}"`);
      if (result.id === 'created') {
        const self = `${request.protocol}://${request.host}${BASE}/${found.resourceType}/${String(found.id)}`;
        void reply.header('location', `${self}/_history/${found.meta.versionId}`);
        if (create !== 'resource') return reply.code(201).send(create === 'null' ? 'null' : '');
      }
    }
    return reply.code(getStatus(result)).send(found ?? result);
  };

  /** One page of a search, with a link to the next one. */
  async function searchPage(request: FastifyRequest, asked: FhirRequest, size: number): Promise<unknown> {
    const isForm = request.method === 'POST';
    const query = { ...(request.query as object), ...(isForm && isObject(request.body) ? request.body : {}) };
    const page = pageOf(query, size);
    const path = (asked.url.split('?')[0] ?? '').replace(/\/_search$/, '');
    const url = `${path}?${page.params.toString()}`;
    const [result, found] = await engine.handleRequest(
      { ...asked, method: 'GET', url, body: undefined },
      repository,
    );
    if (found?.resourceType !== 'Bundle') return found ?? result;
    const address = `${request.protocol}://${request.host}${BASE}${path}`;
    const next = nextPage(address, page, found.total ?? 0);
    const link = [{ relation: 'self', url: `${address}?${page.params.toString()}` }];
    return { ...found, link: next === undefined ? link : [...link, { relation: 'next', url: next }] };
  }

  return {
    target: 'emr',
    prefixes: [BASE],
    errorBody: (status, message) => outcome(status === 429 ? 'throttled' : 'transient', message),
    routes: (scope) => {
      scope.setErrorHandler((error: OperationOutcomeError, _request, reply) => {
        const result = normalizeOperationOutcome(error);
        return reply.code(getStatus(result)).send(result);
      });
      scope.all('/*', { config: { operation: operationOf } }, handle);
      scope.all('', { config: { operation: operationOf } }, handle);
    },
    control: (scope) => {
      scope.get('/emr/manners', () => ({ manners: manners.current }));
      scope.put('/emr/manners', (request) => ({ manners: manners.set(request.body) }));
      scope.delete('/emr/manners', () => ({ manners: manners.set({}) }));
      scope.post('/emr/events', async (request, reply) => {
        const text = JSON.stringify({ ...event.parse(request.body), timestamp: now() });
        const signature = createHmac('sha256', config.SANDBOX_EMR_WEBHOOK_SECRET).update(text).digest('hex');
        const url = `${config.SANDBOX_BRIDGE_URL}/webhooks/emr`;
        return postWebhook(reply, url, { 'x-emr-signature': signature }, text);
      });
    },
    close: async () => {
      repository.close();
      manners.close();
    },
  };
}

function operationOf({ method, url }: FastifyRequest): string {
  const [path = ''] = url.slice(BASE.length).split('?');
  switch (method) {
    case 'GET':
      return path.split('/').filter(Boolean).length > 1 || path === '/metadata' ? 'read' : 'search';
    case 'POST':
      return path.endsWith('/_search') ? 'search' : 'create';
    case 'DELETE':
      return 'delete';
    default:
      return 'update';
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const needsResource = (request: FastifyRequest): boolean =>
  request.method === 'PUT' || operationOf(request) === 'create';

/** The body in the engine's form. A search may have parameters in URL and form. */
function engineBody(request: FastifyRequest): unknown {
  if (request.method !== 'POST') return request.body;
  if (operationOf(request) === 'create') return withoutIds(request.body);
  return { ...(request.query as object), ...(isObject(request.body) && request.body) };
}

/** The request in the engine's form: the path in `url`, `pathname` empty. */
function toEngine(request: FastifyRequest, path: string): FhirRequest {
  return {
    method: request.method as HttpMethod,
    url: path,
    pathname: '',
    params: {},
    query: request.query as FhirRequest['query'],
    headers: request.headers,
    body: engineBody(request),
  };
}

/** On create, the server assigns ids and versions. */
function withoutIds(body: unknown): unknown {
  const parsed = resource.safeParse(body);
  if (!parsed.success) return body;
  const { meta } = parsed.data;
  const kept = meta && { ...meta, versionId: undefined, lastUpdated: undefined };
  return { ...parsed.data, id: undefined, meta: kept };
}
