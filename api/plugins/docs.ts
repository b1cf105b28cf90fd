import { existsSync, readFileSync } from 'node:fs';
import fastifySwagger from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { App, Context, Service } from '../context.js';
import type { OwnCodes } from '../error-codes.js';
import type { OpenApiDocument } from '../openapi/document.js';
import { declarable } from '../openapi/vocabulary.js';
import { type Examples, pageOf } from '../openapi/page.js';
import { signInBrowser } from '../openapi/sign-in-browser.js';
import { policyOf } from '../pages.js';

/** Requests and answers recorded by `npm run generate -- examples`. */
function examplesOf(healthName: string): Examples {
  const file = new URL(`../openapi/examples/${healthName}.json`, import.meta.url);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Examples) : {};
}

/**
 * Serves `/openapi.json`, generated from the contracts, and a page at `/docs` that works without internet (D10). In
 * development the page signs requests with the key's secret, entered as the signature. In production it hides the
 * routes for superadmins.
 */
export async function registerDocs<C extends Context>(
  app: App,
  { title, description, errorShape, healthName, webhooks }: Service<C>,
  { NODE_ENV }: Pick<Context['config'], 'NODE_ENV'>,
): Promise<void> {
  const [isDevelopment, isProduction] = [NODE_ENV === 'development', NODE_ENV === 'production'];
  const optionalBodies = new Set<string>();
  const errorCodes = new Map<string, OwnCodes>();
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `Scriptrail: ${title}`, version: '1' },
      components: { securitySchemes: declarable },
    },
    transform: (route) => {
      if (isProduction && route.route.config?.policy?.allows === 'superadmin')
        return { schema: { hide: true }, url: route.url };
      const { body } = route.schema;
      const path = route.url.replace(/:(\w+)/g, '{$1}');
      const { errorCodes: own = [], failsWithoutPostgres } = route.route.config ?? {};
      const codes: OwnCodes = failsWithoutPostgres ? ['unavailable'] : own;
      errorCodes.set(`${String(route.route.method).toLowerCase()} ${path}`, codes);
      if (body instanceof z.ZodType && body.safeParse(undefined).success) optionalBodies.add(path);
      return jsonSchemaTransform(route);
    },
    transformObject: (document) =>
      pageOf(jsonSchemaTransformObject(document) as OpenApiDocument, {
        description,
        errorShape,
        optionalBodies,
        errorCodes,
        examples: examplesOf(healthName),
        webhooks,
      }) as ReturnType<typeof jsonSchemaTransformObject>,
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  // Loaded here because the page is large and most tests never open it.
  const { default: fastifySwaggerUi } = await import('@fastify/swagger-ui');
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    // The page has inline styles in its elements.
    staticCSP: policyOf("'self'", "'self' 'unsafe-inline'", "'self' data:"),
    ...(isDevelopment && { uiConfig: { requestInterceptor: signInBrowser as never } }),
  });
}
