import { createHash } from 'node:crypto';

/**
 * The content security policy of a page of ours that is one file: only its own script and style run, and it speaks to
 * its own origin alone.
 */
export const pagePolicy = (html: string): string =>
  [
    "default-src 'none'",
    `script-src ${hashOf(html, 'script')}`,
    `style-src ${hashOf(html, 'style')}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Of the one inline element of that name, as a content security policy lists it. */
function hashOf(html: string, element: 'script' | 'style'): string {
  const [, text = ''] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html) ?? [];
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
