import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { App } from './context.js';

interface Page {
  html: string;
  headers: Record<'content-type' | 'content-security-policy', string>;
}

/** Reads a page of one file. Its policy allows only its own inline script and style, and requests to its own origin. */
export function readPage(file: URL): Page {
  const html = readFileSync(file, 'utf8');
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
  return {
    html,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  };
}

/** Serves the page at `/` without authentication. */
export function servePage(app: App, file: URL, publicBecause: string): void {
  const { html, headers } = readPage(file);
  app.get(
    '/',
    { config: { access: { none: `public: ${publicBecause}` } }, schema: { hide: true } },
    (_request, reply) => reply.headers(headers).send(html),
  );
}

function hashOf(html: string, element: 'script' | 'style'): string {
  const [, text = ''] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html) ?? [];
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
