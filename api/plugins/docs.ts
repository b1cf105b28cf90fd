import fastifySwagger from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { App, Context, Service } from '../context.js';
import type { OpenApiDocument } from '../openapi/document.js';
import { declarable } from '../openapi/vocabulary.js';
import { examplesOf } from '../openapi/examples.js';
import { pageOf } from '../openapi/page.js';
import { signInBrowser } from '../openapi/sign-in-browser.js';

/** The page loads from and calls only its own service. Its elements have inline styles. */
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
      if (body instanceof z.ZodType && body.safeParse(undefined).success)
        optionalBodies.add(route.url.replace(/:(\w+)/g, '{$1}'));
      return jsonSchemaTransform(route);
    },
    transformObject: (document) =>
      pageOf(jsonSchemaTransformObject(document) as OpenApiDocument, {
        description,
        errorShape,
        optionalBodies,
        examples: examplesOf(healthName),
        webhooks,
      }) as ReturnType<typeof jsonSchemaTransformObject>,
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  // Loaded here because the page is large and most tests never open it.
  const { default: fastifySwaggerUi } = await import('@fastify/swagger-ui');
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    staticCSP: pagePolicy,
    ...(isDevelopment && { uiConfig: { requestInterceptor: signInBrowser as never } }),
  });
}
