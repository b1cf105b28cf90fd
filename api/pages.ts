import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { App } from './context.js';
import { found } from './http-errors.js';

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

const typesOfFiles: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * Serves a page at `/` and the scripts and styles of its folder under the folder's name, without authentication. Its
 * policy allows these files only.
 */
export function servePageWithFiles(
  app: App,
  { page, folder }: { page: URL; folder: URL },
  publicBecause: string,
): void {
  const html = readFileSync(page, 'utf8');
  const access = { none: `public: ${publicBecause}` };
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policyOf("'self'", "'self'", 'data:'),
  };
  app.get('/', { config: { access }, schema: { hide: true } }, (_request, reply) =>
    reply.headers(headers).send(html),
  );
  const files = new Map(
    readdirSync(folder).map((name) => [
      name,
      {
        type: typesOfFiles[name.split('.').at(-1) ?? ''] ?? 'text/plain',
        text: readFileSync(new URL(name, folder), 'utf8'),
      },
    ]),
  );
  const [name = ''] = folder.pathname.split('/').slice(-2);
  app.get(
    `/${name}/:file`,
    { config: { access }, schema: { hide: true, params: z.object({ file: z.string() }) } },
    ({ params: { file } }, reply) => {
      const { type, text } = found(files.get(file));
      return reply.type(type).send(text);
    },
  );
}

function hashOf(html: string, element: 'script' | 'style'): string {
  const [, text = ''] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html) ?? [];
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
