import type { ErrorShape } from '../context.js';
import { wordsOf } from '../errors.js';
import {
  type Answer,
  type OpenApiDocument,
  type Operation,
  operationsIn,
  type Parameter,
} from './document.js';
import { operationIdOf } from './operation-id.js';
import { namesOf, publishedSchema, schemaPrefix, withoutForeignSchemas, withPlainNames } from './schemas.js';
import {
  headers,
  idParameter,
  pathParameters,
  requirements,
  securitySchemes,
  statuses,
  tags,
} from './vocabulary.js';
import type { Webhooks } from './webhooks.js';

export interface PageOptions {
  /** What the service is, in a sentence or two. */
  description: string;
  errorShape: ErrorShape;
  /** Paths whose body may be left out. */
  optionalBodies: ReadonlySet<string>;
  /** Request bodies and answers that were really given, by operation and status. */
  examples: Examples;
  webhooks?: Webhooks | undefined;
}

/** By operation id: the body of a request, and answers by status. */
export type Examples = Readonly<
  Record<
    string,
    { request?: unknown; parameters?: Record<string, unknown>; answers?: Record<string, unknown> }
  >
>;

/**
 * The page of a service as foreign tools want it: what all routes have in common is added here, so that a route's
 * contract says only what is its own. tests/platform/openapi refuses a page that misses any of it.
 */
export function pageOf(generated: OpenApiDocument, options: PageOptions): OpenApiDocument {
  const published = publishedSchema(generated) as OpenApiDocument;
  const whole: OpenApiDocument = {
    ...published,
    info: {
      ...published.info,
      description: options.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Wherever the page is read from: a gateway may stand in front.
    servers: [{ url: '/', description: 'The service that answers this page' }],
    ...(options.webhooks && { webhooks: options.webhooks.operations }),
    components: {
      ...published.components,
      schemas: { ...published.components.schemas, ...options.webhooks?.schemas },
    },
  };
  const nameOf = namesOf(whole.components.schemas);
  for (const { path, method, operation } of operationsIn(whole)) {
    operation.operationId ??= operationIdOf(method, path);
    operation.security = securityOf(operation);
    if (operation.requestBody && options.optionalBodies.has(path)) operation.requestBody.required = false;
    describeParameters(operation);
    describeAnswers(operation, options.errorShape, nameOf);
    showExamples(operation, options.examples);
  }
  const page = withPlainNames(withoutForeignSchemas(whole));
  const all = [...operationsIn(page), ...operationsIn({ paths: page.webhooks ?? {} })];
  const operations = all.map(({ operation }) => operation);
  const components = { ...page.components, headers: usedHeaders(operations), ...usedSchemes(operations) };
  return { ...page, tags: usedTags(operations), components };
}

/** A public operation says so; the others name headers that go together. */
const securityOf = ({ security = [] }: Operation): Record<string, string[]>[] =>
  security.flatMap((scheme) => requirements[Object.keys(scheme)[0] ?? ''] ?? [scheme]);

function describeParameters({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if (parameter.in === 'path' && isBare(parameter))
      parameter.schema = { ...(pathParameters[parameter.name] ?? idParameter) };
    const { description, ...schema } = parameter.schema;
    if (typeof description !== 'string') continue;
    parameter.description ??= description;
    parameter.schema = schema;
  }
}

const isBare = ({ schema }: Parameter): boolean =>
  Object.keys(schema).every((name) => name === 'type' || name === 'description');

function describeAnswers(
  { responses, security = [], description = '' }: Operation,
  shape: ErrorShape,
  nameOf: ReturnType<typeof namesOf>,
): void {
  // Whatever the route, a request that reads in two ways is refused.
  if (!Object.keys(responses).some((status) => status.startsWith('4'))) {
    const schema = { $ref: schemaPrefix + (shape === 'code' ? 'CodedRefusal' : 'Refusal') };
    responses['400'] = { description: '', content: { 'application/json': { schema } } };
  }
  for (const [status, answer] of Object.entries(responses)) {
    if (answer.description === '' || answer.description === 'Default Response')
      answer.description = statuses[status] ?? 'The answer';
    answer.headers = headersOf(status, security.length > 0, description.includes('Idempotent-Replayed'));
    if (status < '400') continue;
    for (const media of Object.values(answer.content ?? {})) {
      const name = media.schema && nameOf(media.schema);
      if (name !== undefined) media.schema = { $ref: schemaPrefix + name };
    }
    showRefusal(answer, Number(status), shape);
  }
}

function headersOf(status: string, isLimited: boolean, isReplayed: boolean): Record<string, object> {
  const shown = { 'X-Request-Id': 'RequestId' } as Record<string, keyof typeof headers>;
  if (status === '429' || status === '503') shown['Retry-After'] = 'RetryAfter';
  if (status === '429' || (isLimited && status !== '401')) {
    shown['RateLimit-Limit'] = 'RateLimitLimit';
    shown['RateLimit-Remaining'] = 'RateLimitRemaining';
    shown['RateLimit-Reset'] = 'RateLimitReset';
  }
  if (isReplayed && status < '300') shown['Idempotent-Replayed'] = 'IdempotentReplayed';
  return Object.fromEntries(
    Object.entries(shown).map(([name, key]) => [name, { $ref: `#/components/headers/${key}` }]),
  );
}

/** The words in which the service itself refuses, where all of a status have the same. */
function showRefusal(answer: Answer, status: number, shape: ErrorShape): void {
  const media = answer.content?.['application/json'];
  const [, kind] = /\/(?:Coded)?(Validation|FieldErrors)?Refusal$/.exec(String(media?.schema?.['$ref'])) ?? [
    null,
  ];
  if (!media || kind === null) return;
  const words = wordsOf(shape, status, kind !== undefined);
  if (words) media.example = words;
}

function showExamples(operation: Operation, examples: Examples): void {
  const { request, parameters = {}, answers = {} } = examples[operation.operationId ?? ''] ?? {};
  const body = operation.requestBody?.content['application/json'];
  if (body && request !== undefined) body.example = request;
  for (const parameter of operation.parameters ?? [])
    if (parameter.name in parameters) parameter.example = parameters[parameter.name];
  for (const [status, example] of Object.entries(answers)) {
    const media = operation.responses[status]?.content?.['application/json'];
    if (media) media.example = example;
  }
}

function usedTags(operations: readonly Operation[]) {
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  return [...used].sort().map((name) => ({ name, description: tags[name] ?? '' }));
}

function usedHeaders(operations: readonly Operation[]): Record<string, object> {
  const used = JSON.stringify(operations.map(({ responses }) => responses));
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => used.includes(`#/components/headers/${name}"`)),
  );
}

function usedSchemes(operations: readonly Operation[]) {
  const used = new Set(operations.flatMap(({ security = [] }) => security.flatMap(Object.keys)));
  const kept = Object.entries(securitySchemes).filter(([name]) => used.has(name));
  return { securitySchemes: Object.fromEntries(kept) };
}
