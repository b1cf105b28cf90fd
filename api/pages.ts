import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { App } from './context.js';

/** A page of ours that is one file. */
export interface Page {
  html: string;
  headers: Record<'content-type' | 'content-security-policy', string>;
}

/** Its content security policy lets only its own script and style run, and it speaks to its own origin alone. */
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

/** Answers `/` with the page as it stands, to everybody. */
export function servePage(app: App, file: URL, publicBecause: string): void {
  const { html, headers } = readPage(file);
  app.get(
    '/',
    { config: { access: { none: `public: ${publicBecause}` } }, schema: { hide: true } },
    (_request, reply) => reply.headers(headers).send(html),
  );
}

/** Of the one inline element of that name, as a content security policy lists it. */
function hashOf(html: string, element: 'script' | 'style'): string {
  const [, text = ''] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html) ?? [];
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
