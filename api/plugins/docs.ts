import fastifySwagger from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { App } from '../context.js';

/** The page loads from its own service alone, and speaks to it alone; its styles stand in its elements. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `/openapi.json` from the contracts, and a page at `/docs` that needs no internet (D10). */
export async function registerDocs(app: App, title: string): Promise<void> {
  const optionalBodies = new Set<string>();
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `Scriptrail: ${title}`, version: '1' },
      components: {
        securitySchemes: {
          signature: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Signature',
            description:
              'Lower-case hex HMAC-SHA256 with the API secret over `<X-Timestamp>.<body>`, beside `X-API-Key` and `X-Timestamp`; the body of a request without one counts as `{}`. Version 2 covers method, path and a nonce too: docs/signing.md.',
          },
          webhookSecret: { type: 'apiKey', in: 'header', name: 'x-webhook-secret' },
          emrSignature: { type: 'apiKey', in: 'header', name: 'X-EMR-Signature' },
          adminToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
    transform: (route) => {
      const { body } = route.schema;
      if (body instanceof z.ZodType && body.safeParse(undefined).success) optionalBodies.add(route.url);
      return jsonSchemaTransform(route);
    },
    transformObject: (document) =>
      withOptionalBodies(withoutForeignSchemas(jsonSchemaTransformObject(document)), optionalBodies),
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  // Loaded late: the page is large, and a test that never opens it need not pay for it.
  const { default: fastifySwaggerUi } = await import('@fastify/swagger-ui');
  await app.register(fastifySwaggerUi, { routePrefix: '/docs', staticCSP: pagePolicy });
}

type Document = ReturnType<typeof jsonSchemaTransformObject>;

/** Named schemas are known to the whole process; a service's document keeps those that it refers to. */
function withoutForeignSchemas(document: Document): Document {
  const { components } = document as { components?: { schemas?: Record<string, unknown> } };
  const schemas = components?.schemas ?? {};
  const kept = new Set<string>();
  const keep = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (kept.has(name)) continue;
      kept.add(name);
      keep(schemas[name] ?? null);
    }
  };
  keep((document as { paths?: unknown }).paths ?? {});
  const own = Object.fromEntries(Object.entries(schemas).filter(([name]) => kept.has(name)));
  return { ...document, components: { ...components, schemas: own } } as Document;
}

/** The framework calls every body required; one whose schema takes none is not. @param paths without parameters */
function withOptionalBodies(document: Document, paths: ReadonlySet<string>): Document {
  const documented = (document as { paths?: Record<string, Record<string, { requestBody?: object }>> }).paths;
  for (const path of paths)
    for (const operation of Object.values(documented?.[path] ?? {}))
      if (operation.requestBody) operation.requestBody = { ...operation.requestBody, required: false };
  return document;
}
