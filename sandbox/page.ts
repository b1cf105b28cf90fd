import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** Blocks external resources, so an e-mail on the page cannot load pictures or run scripts. */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  'img-src data:',
  "frame-ancestors 'none'",
].join('; ');

/** The page at `/` with all calls and the buttons of the control API. */
export function servePage(app: FastifyInstance): void {
  const html = readFileSync(new URL('page.html', import.meta.url), 'utf8');
  app.get('/', (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(html),
  );
}
