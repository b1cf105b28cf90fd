const path = String.raw`[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*`;
const placeholder = new RegExp(String.raw`\{\{\s*(${path})\s*\}\}`, 'g');
const strayBraces = new RegExp(String.raw`\{\{(?!\s*${path}\s*\}\})`);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char);

/** Where a text stops being filled in: far beyond any message, and little enough to hold in memory. */
const maxFilledLength = 1_000_000;

/**
 * Fills `{{name}}` and `{{name.part}}` (page 2, Template rendering rules). What is missing, null, or no plain value
 * renders empty; only a value's own fields are looked at; a value that looks like a placeholder stays as it is.
 * Past a million characters of values nothing more is filled in: such a text is too long for any message.
 * @param mode `html` escapes the values, `raw` leaves them
 */
export function render(template: string, variables: unknown, mode: 'html' | 'raw'): string {
  let filledLength = 0;
  return template.replace(placeholder, (_match, name: string) => {
    if (filledLength > maxFilledLength) return '';
    const text = plainText(lookUp(variables, name));
    filledLength += text.length;
    return mode === 'html' ? escapeHtml(text) : text;
  });
}

/** The variables that a template names, each once; of `{{name.part}}` the name. */
export const variablesIn = (template: string): string[] => [
  ...new Set(Array.from(template.matchAll(placeholder), ([, name = '']) => name.replace(/\..*/, ''))),
];

/**
 * Whether every `{{` of a template begins a placeholder. One that does not, as `{{#if}}`, `{{{raw}}}` or a `{{name`
 * left open, would reach the reader as it stands.
 */
export const isWellFormed = (template: string): boolean => !strayBraces.test(template);

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
