const placeholder = /\{\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}/g;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char);

/** Far above any real message, and small enough for memory. */
const maxFilledLength = 1_000_000;

/**
 * Fills `{{name}}` and `{{name.part}}` (page 2, Template rendering rules). A value without text renders empty. Only a
 * value's own fields count. Placeholders inside values stay. After a million characters of values, all others are empty.
 * @param mode `html` escapes the values, `raw` does not
 */
export function render(template: string, variables: unknown, mode: 'html' | 'raw'): string {
  let filledLength = 0;
  return template.replace(placeholder, (_match, name: string) => {
    if (filledLength > maxFilledLength) return '';
    const text = textOf(lookUp(variables, name)) ?? '';
    filledLength += text.length;
    return mode === 'html' ? escapeHtml(text) : text;
  });
}

/** The variables that a template names, each once; for `{{name.part}}` the name. */
export const variablesIn = (template: string): string[] => [
  ...new Set(Array.from(template.matchAll(placeholder), ([, name = '']) => name.replace(/\..*/, ''))),
];

/** Replaces line breaks and other control characters, which would end a mail header, by a space (D70). */
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

/** The text of a value, or of a list's plain values. Undefined for null and objects (D68). */
export function textOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return isPlain(value) ? String(value) : undefined;
  const plain = value.filter(isPlain);
  return plain.length === 0 ? undefined : plain.join(', ');
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
