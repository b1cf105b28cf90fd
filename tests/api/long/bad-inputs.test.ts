import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { services } from '../../../api/services.js';
import { hmacHex, sign } from '../../../platform/crypto/signature.js';
import type { ServiceName } from '../../../platform/service-names.js';
import { adminToken, shared } from '../../helpers/client.js';
import {
  bodySchemaOf,
  bodyTextsOf,
  credentialsFor,
  type DocumentedRoute,
  documentedRoutes,
  keyNameOf,
  type Schema,
} from '../../helpers/documented-routes.js';
import { type SecondApi, startSecondApi, unlimited } from '../../helpers/second-api.js';

// Sends every bad input alone, in an otherwise valid request, to every documented route: about 4,000 requests. In `npm test`,
// the tests of the contracts and of strict JSON cover the same rules with a few requests per route.

const dev = shared();
const names = Object.keys(services) as ServiceName[];
const routes = (await documentedRoutes(dev, names)).filter(
  // They take no input.
  ({ template }) => !/(^|\/)(health|ready)$/.test(template),
);

/** The parts of a request that differ from a valid one. */
interface Bad {
  method?: string;
  /** Below the service's address. */
  path?: string;
  body?: string | number[];
  contentType?: string;
  /** Replace the valid credentials. */
  credentials?: Record<string, string>;
  /** The declared length of a body that is never sent. */
  declaredBytes?: number;
}
interface Input {
  name: string;
  /** Returns undefined if the input does not apply to the route. */
  of: (route: DocumentedRoute) => Bad | undefined;
  /** The accepted statuses. */
  answers: readonly number[];
}

const takesBody = (route: DocumentedRoute) => bodySchemaOf(route) !== undefined;
const asBody = (name: string, body: string | number[]): Input => ({
  name,
  answers: [400],
  of: (route) => (takesBody(route) ? { body } : undefined),
});
/** Applies to routes that require a body. */
const asNoBody = (name: string, body: string): Input => ({
  name,
  answers: [400],
  of: (route) =>
    takesBody(route) && route.requestBody?.required === true && !mayBeNull(bodySchemaOf(route)!)
      ? { body }
      : undefined,
});
const inPath = (name: string, value: string, answers = [400]): Input => ({
  name,
  answers,
  of: ({ template }) => (template.includes('{') ? { path: template.replace(/\{\w+\}/g, value) } : undefined),
});
const mayBeNull = ({ type, anyOf = [] }: Schema): boolean =>
  [type].flat().includes('null') || anyOf.some(mayBeNull);
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

const inputs: Input[] = [
  asBody('cut short', '{"a":'),
  asNoBody('empty', ''),
  {
    name: 'text/plain',
    answers: [415],
    of: (route) => (takesBody(route) ? { body: '{}', contentType: 'text/plain' } : undefined),
  },
  {
    name: 'too large',
    answers: [413],
    of: (route) => (takesBody(route) ? { declaredBytes: 1024 ** 3 } : undefined),
  },
  asBody('list', '[]'),
  asNoBody('null', 'null'),
  {
    name: 'missing',
    answers: [400],
    of: (route) => (requires(route, bodySchemaOf(route)) ? { body: '{}' } : undefined),
  },
  {
    name: 'wrong type',
    answers: [400],
    of: withWrongType,
  },
  {
    name: 'long text',
    answers: [400, 413],
    of: (route) => holding(route, 'x'.repeat(100_000)),
  },
  asBody('control', '{"a":"\u0001"}'),
  asBody('NUL', '{"a":"\\u0000"}'),
  asBody('surrogate', '{"a":"\\ud800"}'),
  asBody('`__proto__`', '{"__proto__":{"a":1}}'),
  asBody('twice', '{"a":1,"a":2}'),
  asBody('deep', nested(65)),
  asBody('1e999', '{"a":1e999}'),
  asBody('2^53+1', '{"a":9007199254740993}'),
  asBody('not UTF-8', [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  {
    name: 'nobody',
    answers: [401],
    of: ({ security }) => ((security ?? []).length > 0 ? { credentials: {} } : undefined),
  },
  {
    name: 'forged',
    answers: [401],
    of: (route) => ((route.security ?? []).length > 0 ? { credentials: forged(route) } : undefined),
  },
  {
    name: 'stale',
    answers: [401],
    of: (route) => (isAskedFor(route, 'timestamp') ? { credentials: stale(route) } : undefined),
  },
  {
    name: 'unknown key',
    answers: [401],
    of: (route) =>
      isAskedFor(route, 'apiKey')
        ? { credentials: { ...right(route, bodyFor(route)), 'x-api-key': 'nobody' } }
        : undefined,
  },
  {
    name: 'PROPFIND',
    answers: [405],
    of: () => ({ method: 'PROPFIND' }),
  },
  inPath('%00', '%00'),
  inPath('%FF', '%ff'),
  inPath('no id', 'x', [400, 404]),
  inPath('long id', 'x'.repeat(5_000), [400, 404, 414]),
  {
    name: '?x=%00',
    answers: [400],
    of: ({ path }) => ({ path: `${path}?x=%00` }),
  },
  {
    name: 'wrong query',
    answers: [400],
    of: ({ path, parameters }) => {
      const narrow = parameters?.find(
        ({ in: where, schema }) => where === 'query' && (schema.enum ?? schema.format ?? narrowType(schema)),
      );
      return narrow && { path: `${path}?${narrow.name}=%7B%7D` };
    },
  },
];

let api: SecondApi;
let token: string;
beforeAll(async () => {
  token = await adminToken(dev);
  api = await startSecondApi(dev, names, { ...unlimited, STRIPE_API_BASE: dev.stripe.apiBase });
});
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
afterAll(async () => {
  agent.destroy();
  await api.stop();
});

const isAskedFor = ({ security }: DocumentedRoute, scheme: string) =>
  security?.some((named) => scheme in named) === true;
const right = (route: DocumentedRoute, body: string | Uint8Array) => credentialsFor(dev, token, route, body);
/** The body of a request whose fault is elsewhere. */
const bodyFor = (route: DocumentedRoute) => (takesBody(route) ? '{}' : '');

function forged(route: DocumentedRoute): Record<string, string> {
  const headers = right(route, bodyFor(route));
  if (headers['authorization']) return { authorization: `${headers['authorization'].slice(0, -8)}AAAAAAAA` };
  if (headers['x-webhook-secret']) return { 'x-webhook-secret': 'x'.repeat(64) };
  if (headers['x-emr-signature']) return { 'x-emr-signature': hmacHex('another secret', bodyFor(route)) };
  return { ...headers, 'x-signature': sign('another secret', headers['x-timestamp']!, bodyFor(route)) };
}

function stale(route: DocumentedRoute): Record<string, string> {
  const headers = right(route, bodyFor(route));
  const timestamp = new Date(Date.now() - 3_600_000).toISOString();
  const { secret } = dev.apiKeys[keyNameOf(route)]!;
  // The body of a request without one is signed as `{}`.
  return { ...headers, 'x-timestamp': timestamp, 'x-signature': sign(secret, timestamp, '{}') };
}

const resolved = ({ document }: DocumentedRoute, schema: Schema): Schema => {
  const { components } = document as { components?: { schemas?: Record<string, Schema> } };
  return schema.$ref === undefined ? schema : components!.schemas![schema.$ref.split('/').at(-1)!]!;
};

/** Tells whether a schema rejects an empty object. */
function requires(route: DocumentedRoute, schema: Schema | undefined): boolean {
  if (!schema) return false;
  const { required = [], anyOf, oneOf, allOf } = resolved(route, schema);
  const choices = anyOf ?? oneOf;
  if (choices) return choices.every((choice) => requires(route, choice));
  return required.length > 0 || (allOf ?? []).some((part) => requires(route, part));
}

const narrowType = ({ type }: Schema) =>
  typeof type === 'string' && ['integer', 'number', 'boolean'].includes(type);

function withWrongType(route: DocumentedRoute): Bad | undefined {
  const schema = bodySchemaOf(route);
  if (!schema) return undefined;
  for (const [name, property] of Object.entries(resolved(route, schema).properties ?? {})) {
    const { type } = resolved(route, property);
    if (typeof type === 'string')
      return { body: JSON.stringify({ [name]: ['boolean', 'object'].includes(type) ? 'x' : {} }) };
  }
  return undefined;
}

function holding(route: DocumentedRoute, text: string): Bad | undefined {
  const field =
    takesBody(route) &&
    bodyTextsOf(route).find(
      ({ schema }) => schema?.maxLength !== undefined && schema.maxLength < text.length,
    );
  return field ? { body: JSON.stringify(field.holding(text)) } : undefined;
}

async function ask(route: DocumentedRoute, bad: Bad): Promise<number> {
  const { method = route.method, path = route.path, contentType = 'application/json', declaredBytes } = bad;
  const content = bad.body ?? bodyFor(route);
  const body = typeof content === 'string' ? content : Uint8Array.from(content);
  const headers = {
    ...(bad.credentials ?? right({ ...route, path: route.path }, body)),
    ...(takesBody(route) ? { 'content-type': contentType } : {}),
    ...(declaredBytes === undefined ? {} : { 'content-length': String(declaredBytes) }),
  };
  const sent = request(api.services[route.service] + path, {
    method,
    headers,
    // A connection with half a request cannot be used again.
    ...(declaredBytes === undefined ? { agent } : {}),
  });
  sent.on('error', () => undefined);
  if (declaredBytes === undefined) sent.end(body);
  else sent.flushHeaders();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  if (declaredBytes === undefined) {
    answer.resume();
    await once(answer, 'end');
  } else sent.destroy();
  return answer.statusCode!;
}

const nameOf = ({ service, method, template }: DocumentedRoute) => `${service} ${method} ${template}`;

describe.each(names)('%s', (service) => {
  test('every route rejects every bad input with the status of its fault', async () => {
    const own = routes.filter((route) => route.service === service);
    const wrong: string[] = [];
    for (const route of own) {
      const answers = await Promise.all(
        inputs.map(async ({ of }) => {
          const bad = of(route);
          return bad && ask(route, bad);
        }),
      );
      for (const [n, { name, answers: right }] of inputs.entries()) {
        const status = answers[n];
        if (status !== undefined && !right.includes(status))
          wrong.push(`${nameOf(route)}: ${status} for ${name}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
