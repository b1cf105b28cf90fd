import { readFileSync } from 'node:fs';
import type { App } from '../context.js';
import { pagePolicy } from '../page-policy.js';

/** The desk at `/` (D110): one file; nothing of anybody stands on it before signing in. */
export function deskRoutes(app: App): void {
  const html = readFileSync(new URL('desk.html', import.meta.url), 'utf8');
  const policy = pagePolicy(html);
  app.get(
    '/',
    { config: { access: { none: 'public: the empty page' } }, schema: { hide: true } },
    (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
        .send(html),
  );
}
