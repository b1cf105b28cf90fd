import type { ErrorShape } from '../context.js';
import { codesOf, type OwnCodes } from '../error-codes.js';
import { exampleOf } from '../errors.js';
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
  description: string;
  errorShape: ErrorShape;
  /** Paths with an optional body. */
  optionalBodies: ReadonlySet<string>;
  /** The codes that routes give their errors, by method and path. */
  errorCodes: ReadonlyMap<string, OwnCodes>;
  examples: Examples;
  webhooks?: Webhooks | undefined;
}

/** Recorded requests, and answers by status, by operation id. */
export type Examples = Readonly<
  Record<
    string,
    { request?: unknown; parameters?: Record<string, unknown>; answers?: Record<string, unknown> }
  >
>;

/** Completes a generated document with everything that routes have in common. tests/platform/openapi checks the result. */
export function pageOf(generated: OpenApiDocument, options: PageOptions): OpenApiDocument {
  const published = publishedSchema(generated) as OpenApiDocument;
  const whole: OpenApiDocument = {
    ...published,
    info: {
      ...published.info,
      description: options.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative, because a gateway can serve the document.
    servers: [{ url: '/', description: 'The service that serves this document' }],
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
    describeCodes(operation, options.errorCodes.get(`${method} ${path}`) ?? []);
    showExamples(operation, options.examples);
  }
  const page = withPlainNames(withoutForeignSchemas(whole));
  const all = [...operationsIn(page), ...operationsIn({ paths: page.webhooks ?? {} })];
  const operations = all.map(({ operation }) => operation);
  const components = { ...page.components, headers: usedHeaders(operations), ...usedSchemes(operations) };
  return { ...page, tags: usedTags(operations), components };
}

/** Expands a security scheme into its sets of headers; public operations get an empty list. */
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
  // Every route rejects ambiguous requests.
  if (!Object.keys(responses).some((status) => status.startsWith('4'))) {
    const schema = { $ref: schemaPrefix + (shape === 'code' ? 'CodedHttpError' : 'HttpError') };
    responses['400'] = { description: '', content: { 'application/json': { schema } } };
  }
  for (const [status, answer] of Object.entries(responses)) {
    if (answer.description === '' || answer.description === 'Default Response')
      answer.description = statuses[status] ?? 'The answer';
    answer.headers = headersOf(status, security.length > 0, description);
    if (status === '204') delete answer.content;
    if (status < '400') continue;
    for (const media of Object.values(answer.content ?? {})) {
      const name = media.schema && nameOf(media.schema);
      if (name !== undefined) media.schema = { $ref: schemaPrefix + name };
    }
    showError(answer, Number(status), shape);
  }
}

/** The headers of D139 at each error, with the codes that this route can answer. */
function describeCodes({ responses }: Operation, own: OwnCodes): void {
  for (const [status, answer] of Object.entries(responses)) {
    if (status < '400') continue;
    answer.headers = {
      ...answer.headers,
      'Error-Code': {
        description: 'The error as a word; `docs/errors.md` says what to do',
        schema: { type: 'string', enum: codesOf(Number(status), own) },
      },
      'Error-Retryable': { $ref: '#/components/headers/ErrorRetryable' },
    };
  }
}

/** @param description of the route, which names the headers that only some routes have */
function headersOf(status: string, isLimited: boolean, description: string): Record<string, object> {
  const shown = { 'X-Request-Id': 'RequestId' } as Record<string, keyof typeof headers>;
  if (status === '429' || status === '503') shown['Retry-After'] = 'RetryAfter';
  if (status === '429' || (isLimited && status !== '401')) {
    shown['RateLimit-Limit'] = 'RateLimitLimit';
    shown['RateLimit-Remaining'] = 'RateLimitRemaining';
    shown['RateLimit-Reset'] = 'RateLimitReset';
  }
  if (status < '300') {
    if (description.includes('Idempotent-Replayed')) shown['Idempotent-Replayed'] = 'IdempotentReplayed';
    if (description.includes('Events-Truncated')) shown['Events-Truncated'] = 'EventsTruncated';
  }
  return Object.fromEntries(
    Object.entries(shown).map(([name, key]) => [name, { $ref: `#/components/headers/${key}` }]),
  );
}

/** Adds the example of an error that is the same for all routes. */
function showError(answer: Answer, status: number, shape: ErrorShape): void {
  const media = answer.content?.['application/json'];
  const kind = /\/(?:Coded)?(Http|(?:Field)?Validation)Error$/.exec(String(media?.schema?.['$ref']))?.[1];
  if (!media || kind === undefined) return;
  const example = exampleOf(shape, status, kind !== 'Http');
  if (example) media.example = example;
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
