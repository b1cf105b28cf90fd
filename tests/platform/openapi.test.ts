import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type OpenApiDocument,
  type Operation,
  operationsIn,
  type Parameter,
} from '../../api/openapi/document.js';
import { portablePattern } from '../../api/openapi/schemas.js';
import { openApiPages } from '../../dev/pages/pages.js';
import { serviceNames } from '../../platform/service-names.js';
import { notesOf, testFiles, unprovokedAnswers } from '../helpers/documented-answers.js';

let pages: Record<string, OpenApiDocument>;
beforeAll(async () => {
  pages = (await openApiPages()) as Record<string, OpenApiDocument>;
});

/** The gaps of a page that foreign tools report, each with its place. */
function missingIn(page: OpenApiDocument): string[] {
  const found: string[] = [];
  const need = (holds: boolean, what: string) => {
    if (!holds) found.push(what);
  };
  need((page.servers ?? []).length > 0, 'a server');
  need((page.info.description ?? '') !== '', 'what the service is for');
  for (const { name, description } of page.tags ?? [])
    need(description !== '', `a sentence on the tag ${name} in api/openapi/vocabulary.ts`);
  const ids = new Set<string>();
  for (const { path, method, operation } of operationsIn(page)) {
    const at = `${method} ${path}`;
    const { operationId = '' } = operation;
    need(/^[a-z][A-Za-z]+$/.test(operationId) && !ids.has(operationId), `${at}: an operationId of its own`);
    ids.add(operationId);
    need(Boolean(operation.summary) && operation.tags?.length === 1, `${at}: a summary and a tag`);
    need(operation.security !== undefined, `${at}: whom it is for`);
    for (const parameter of operation.parameters ?? [])
      need(isBounded(parameter), `${at}: bounds of ${parameter.name}`);
    found.push(...missingAnswers(operation).map((what) => `${at}: ${what}`));
  }
  for (const pattern of patternsIn(page)) need(isPortable(pattern), `a portable pattern: ${pattern}`);
  return found;
}

function missingAnswers({ responses, security }: Operation): string[] {
  const found = Object.keys(responses).some((status) => status.startsWith('4')) ? [] : ['a refusal'];
  for (const [status, { description, headers = {}, content }] of Object.entries(responses)) {
    if (description === 'Default Response') found.push(`what ${status} means`);
    const wanted = ['X-Request-Id'];
    if (status === '429' || status === '503') wanted.push('Retry-After');
    if (security?.length !== 0 && status === '200') wanted.push('RateLimit-Remaining');
    found.push(...wanted.filter((name) => !(name in headers)).map((name) => `${name} of ${status}`));
    const { schema } = content?.['application/json'] ?? {};
    const isNamed = /^\{("anyOf":\[)?(\{?"\$ref":"[^"]+"\}?,?)+\]?\}?$/.test(
      JSON.stringify(schema ?? { $ref: 'none' }),
    );
    if (status >= '400' && !isNamed) found.push(`a name for the schema of ${status}`);
  }
  return found;
}

const isBounded = ({ schema }: Parameter): boolean =>
  ['format', 'pattern', 'enum', 'maxLength', 'maximum', 'const'].some((bound) => bound in schema) ||
  schema['type'] === 'boolean';

const patternsIn = (part: unknown): string[] => {
  if (typeof part !== 'object' || part === null) return [];
  const { pattern } = part as { pattern?: unknown };
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(part).flatMap(patternsIn)];
};
/** Patterns that ECMA-262, Python and Go read alike. */
const isPortable = (pattern: string): boolean => !/\\[pPdwkb]|\(\?[^:]/.test(pattern);

describe('the OpenAPI page', () => {
  test.each(serviceNames)('of %s has what foreign tools ask for', (service) => {
    expect(missingIn(pages[service]!)).toEqual([]);
  });

  test('is refused where a route misses any of it', () => {
    const spoilt = structuredClone(pages['orchestrator']!);
    const approve = spoilt.paths['/orchestrator/approve']!['post']!;
    delete approve.security;
    delete approve.responses['429']!.headers!['Retry-After'];
    approve.responses['409']!.content!['application/json']!.schema = { type: 'object' };
    approve.parameters!.push({ in: 'query', name: 'free', schema: { type: 'string' } });
    spoilt.tags![0]!.description = '';
    spoilt.components.schemas['ApproveRequest']!['pattern'] = '^\\p{Lu}';
    expect(missingIn(spoilt)).toEqual([
      `a sentence on the tag ${spoilt.tags![0]!.name} in api/openapi/vocabulary.ts`,
      'post /orchestrator/approve: whom it is for',
      'post /orchestrator/approve: bounds of free',
      'post /orchestrator/approve: a name for the schema of 409',
      'post /orchestrator/approve: Retry-After of 429',
      'a portable pattern: ^\\p{Lu}',
    ]);
  });

  test('names every header that a signature is made of, for both versions', () => {
    const { paths, components } = pages['orchestrator']!;
    expect(paths['/orchestrator/approve']!['post']!.security).toEqual([
      { apiKey: [], timestamp: [], signature: [] },
      { apiKey: [], timestamp: [], signature: [], signatureVersion: [], nonce: [] },
    ]);
    expect(Object.keys(components.securitySchemes!)).toEqual([
      'apiKey',
      'timestamp',
      'signature',
      'signatureVersion',
      'nonce',
    ]);
  });

  test('says of a public route that it is, and names no scheme that nothing asks for', () => {
    const { paths, components } = pages['intake']!;
    expect(paths['/submit']!['post']!.security).toEqual([]);
    expect(Object.keys(components.securitySchemes!)).not.toContain('webhookSecret');
  });

  test('lists a code of a route only at the statuses that have it', () => {
    const { responses } = pages['orchestrator']!.paths['/orchestrator/approve']!['post']!;
    const codes = (status: string) =>
      (responses[status]!.headers!['Error-Code'] as { schema: { enum: string[] } }).schema.enum;
    expect(codes('409')).toEqual(['conflict']);
    expect(codes('500')).toEqual(expect.arrayContaining(['internal', 'patient_inactive', 'terminated']));
  });

  test('documents what is sent to others as webhooks', () => {
    const webhooks = Object.fromEntries(
      Object.entries(pages).map(([service, page]) => [service, Object.keys(page.webhooks ?? {})]),
    );
    expect(webhooks).toMatchObject({
      router: ['prescriptionCallback'],
      organization: ['event'],
      patients: ['event'],
      bridge: ['event'],
      intake: [],
    });
  });

  test('refuses with its pattern nothing that the service takes', () => {
    const printable = new RegExp(portablePattern('^[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]{1,200}$'));
    for (const taken of ['a', 'Zoë 😀', ' ']) expect(taken).toMatch(printable);
    for (const refused of ['', 'a\u0000', 'a\u2028', 'a\u200b']) expect(refused).not.toMatch(printable);
  });
});

const pathsOf = (of: Record<string, OpenApiDocument>) =>
  Object.entries(of).flatMap(([service, { paths }]) =>
    Object.keys(paths).map((path) => `${service} ${path}`),
  );

test('in production the pages leave out what superadmins only may do and the clock for trying, and nothing else', async () => {
  const inProduction = (await openApiPages('production')) as Record<string, OpenApiDocument>;
  const [whole, shown] = [pathsOf(pages), pathsOf(inProduction)];
  const left = whole.filter((path) => !shown.includes(path));
  expect(shown.filter((path) => !whole.includes(path))).toEqual([]);
  expect(shown).toEqual(expect.arrayContaining(['intake /submit', 'router /rx/prescriptions/submit']));
  expect(shown.filter((path) => path.includes('/admin/'))).toEqual([]);
  expect(left).toEqual([
    'orchestrator /orchestrator/clock',
    'intake /admin/intake-submissions/{id}',
    'intake /admin/intake-retries',
    'intake /admin/intake-retries/{id}/reset',
    'notification /notify/templates',
    'notification /notify/templates/{type}',
    'notification /notify/templates/{type}/versions',
    'notification /notify/templates/{type}/preview',
    'notification /notify/templates/{type}/test',
    'notification /notify/channels',
    'notification /notify/channels/{type}',
    'notification /notify/log',
    'organization /v1/admin-users/{id}',
    'organization /v1/admin-users/{id}/suspend',
    'organization /v1/admin-users/{id}/reactivate',
    'organization /v1/access-events',
    'organization /v1/access-events/days',
    'organization /v1/audit-events',
    'organization /v1/admin/workers/outbox/tick',
    'organization /v1/admin/workers/outbox/redrive',
    'patients /v1/orphans',
    'patients /v1/orphans/{id}/settle',
    'patients /v1/patients/{id}/erase',
    'patients /v1/erasures/{id}',
    'patients /v1/admin/workers/outbox/tick',
    'patients /v1/admin/workers/outbox/redrive',
    'bridge /webhook-events',
    'bridge /webhook-events/{id}',
    'bridge /emr-sync-attempts/{id}/retry',
    'bridge /admin/workers/emr-sync/tick',
    'bridge /admin/workers/outbox/tick',
    'bridge /admin/workers/outbox/redrive',
  ]);
});

describe('what the tests provoke', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptrail-answers-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const [first = '', ...others] = testFiles();

  test('A documented answer that no test has provoked is named, with its route, status and code', async () => {
    const since = Date.now() - 1_000;
    await Promise.all(others.map((file) => writeFile(notesOf(file, folder), '')));
    expect(await unprovokedAnswers(since, { folder, rendered: pages })).toBeUndefined();
    const notes = 'post /orchestrator/approve 409 conflict\nget /physicians/me 200\n';
    await writeFile(notesOf(first, folder), notes);
    const named = (await unprovokedAnswers(since, { folder, rendered: pages })) ?? [];
    expect(named).toContain('post /orchestrator/approve: 500 order_unknown');
    expect(named).toContain('get /physicians/{id}: 200');
    const provoked = ['post /orchestrator/approve: 409 conflict', 'get /physicians/me: 200'];
    for (const answer of [...provoked, 'put /orchestrator/clock: 200']) expect(named).not.toContain(answer);
    expect(await unprovokedAnswers(Date.now() + 60_000, { folder, rendered: pages })).toBeUndefined();
  });
});
