import fastifySwagger from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { App } from '../context.js';

/** `/openapi.json` from the contracts, and a page at `/docs` that needs no internet (D10). */
export async function registerDocs(app: App, title: string): Promise<void> {
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
              'Lower-case hex HMAC-SHA256 with the API secret over `<X-Timestamp>.<body>`, beside `X-API-Key` and `X-Timestamp`; the body of a request without one counts as `{}`.',
          },
          adminToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  // Loaded late: the page is large, and a test that never opens it need not pay for it.
  const { default: fastifySwaggerUi } = await import('@fastify/swagger-ui');
  await app.register(fastifySwaggerUi, { routePrefix: '/docs' });
}
