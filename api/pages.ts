import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { App } from './context.js';

export interface Page {
  html: string;
  headers: Record<'content-type' | 'content-security-policy', string>;
}

/** Other hosts that a page loads scripts from, sends requests to and shows frames of. */
interface Hosts {
  script: readonly string[];
  connect: readonly string[];
  frame: readonly string[];
}

/**
 * Reads a page of one file. Its policy allows its own inline script and style, requests to its own origin, and the hosts.
 */
export function readPage(file: URL, hosts?: Hosts): Page {
  const html = readFileSync(file, 'utf8');
  const policy = policyOf(hashOf(html, 'script'), hashOf(html, 'style'), 'data:', hosts);
  return {
    html,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  };
}

/** A content security policy that allows requests only to the page's own origin and to the hosts. */
export const policyOf = (script: string, style: string, image: string, hosts?: Hosts): string =>
  [
    "default-src 'none'",
    `script-src ${[script, ...(hosts?.script ?? [])].join(' ')}`,
    `style-src ${style}`,
    `connect-src ${["'self'", ...(hosts?.connect ?? [])].join(' ')}`,
    ...(hosts ? [`frame-src ${hosts.frame.join(' ')}`] : []),
    `img-src ${image}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

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
