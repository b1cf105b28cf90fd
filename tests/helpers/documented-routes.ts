import type { DevJson } from '../../dev/dev-json.js';
import { hmacHex, sign, signedHeaders } from '../../platform/crypto/signature.js';
import type { ServiceName } from '../../platform/service-names.js';
import { type OpenApi, openApiOf, operationsOf } from './openapi.js';
import { type TextField, textFieldsOf } from './text-fields.js';

/** A part of a JSON schema, as far as it is looked at. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Documented {
  responses: Record<string, unknown>;
  security?: Record<string, string[]>[];
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
}
export interface DocumentedRoute extends Documented {
  service: ServiceName;
  method: string;
  /** As it is documented. */
  template: string;
  /** With `x` in the place of its parameters. */
  path: string;
  document: OpenApi;
}

export async function documentedRoutes(
  dev: DevJson,
  names: readonly ServiceName[],
): Promise<DocumentedRoute[]> {
  const routes = await Promise.all(
    names.map(async (service) => {
      const document = await openApiOf(dev, service);
      return operationsOf(document).map((operation): DocumentedRoute => ({
        ...(operation as Documented),
        service,
        method: operation.method.toUpperCase(),
        template: operation.path,
        path: operation.path.replace(/\{\w+\}/g, 'x'),
        document,
      }));
    }),
  );
  return routes.flat();
}

export const bodySchemaOf = ({ requestBody }: DocumentedRoute): Schema | undefined =>
  requestBody?.content['application/json']?.schema;

export const bodyTextsOf = (route: DocumentedRoute): TextField[] =>
  textFieldsOf(route.document as object, bodySchemaOf(route) ?? { enum: [] });

/** The key that a route is for: a physician's own for what is their own. */
export const keyNameOf = ({ path }: Pick<DocumentedRoute, 'path'>): string => {
  if (path === '/api/pharmacy-router/callback') return 'orchestrator';
  return path.startsWith('/physicians/me') ? 'physician_a' : 'admin';
};

/** The headers that let a request with this body reach the route. @param token of a superadmin */
export function credentialsFor(
  dev: DevJson,
  token: string,
  { security, path }: Pick<DocumentedRoute, 'security' | 'path'>,
  body: string | Uint8Array,
): Record<string, string> {
  const isCallback = path === '/api/pharmacy-router/callback';
  const isAskedFor = (scheme: string) => security?.some((named) => scheme in named);
  const { key, secret } = dev.apiKeys[keyNameOf({ path })]!;
  const timestamp = new Date().toISOString();
  if (isAskedFor('signature') && !isCallback)
    return typeof body === 'string'
      ? signedHeaders({ keyId: key, secret }, body)
      : { 'x-api-key': key, 'x-timestamp': timestamp, 'x-signature': sign(secret, timestamp, body) };
  if (isAskedFor('adminToken')) return { authorization: `Bearer ${token}` };
  if (isAskedFor('webhookSecret'))
    return { 'x-webhook-secret': dev.webhookSecrets[path.endsWith('_b') ? 'pharmacy_b' : 'pharmacy_a'] };
  if (isAskedFor('emrSignature')) return { 'x-emr-signature': hmacHex(dev.webhookSecrets.emr, body) };
  // The body of a request without one is signed as `{}`.
  const callback = sign(dev.apiKeys['orchestrator']!.secret, timestamp, body.length === 0 ? '{}' : body);
  return { 'x-timestamp': timestamp, 'x-signature': callback };
}
