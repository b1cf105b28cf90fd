const placeholder = /\{\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}/g;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char);

/**
 * Fills `{{name}}` and `{{name.part}}` (page 2, Template rendering rules). What is missing, null, or no plain value
 * renders empty; only a value's own fields are looked at; a value that looks like a placeholder stays as it is.
 * @param mode `html` escapes the values, `raw` leaves them
 */
export const render = (template: string, variables: unknown, mode: 'html' | 'raw'): string =>
  template.replace(placeholder, (_match, path: string) => {
    const text = plainText(lookUp(variables, path));
    return mode === 'html' ? escapeHtml(text) : text;
  });

/** For headers: line breaks and other control characters become one space (D70). */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const lookUp = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (owner, name) =>
        owner !== null && typeof owner === 'object' && Object.hasOwn(owner, name)
          ? (owner as Record<string, unknown>)[name]
          : undefined,
      value,
    );

const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
