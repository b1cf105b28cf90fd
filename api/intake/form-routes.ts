import { readFileSync } from 'node:fs';
import type { App } from '../context.js';
import { hashOf } from './page-policy.js';

/**
 * The intake form at `/`, for development: one file that works from any allowed origin, told where the gateway is by
 * `?api=` or its meta tag. Only its own script and style run, and it speaks to nobody else.
 */
export function formRoutes(app: App): void {
  const html = readFileSync(new URL('form.html', import.meta.url), 'utf8');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(html, 'script')}`,
    `style-src ${hashOf(html, 'style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  app.get(
    '/',
    { config: { access: { none: 'public: the form' } }, schema: { hide: true } },
    (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
        .send(html),
  );
}
