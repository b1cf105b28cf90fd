const placeholder = /\{\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}/g;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char);

/** Nothing more is filled in past this length: it is far beyond any message, and little enough to hold in memory. */
const maxFilledLength = 1_000_000;

/**
 * Fills `{{name}}` and `{{name.part}}` (page 2, Template rendering rules). What is missing or null renders empty, as does
 * what has no text (`textOf`); only a value's own fields are looked at; whatever is no placeholder stays as it is, also in
 * a value.
 * Past a million characters of values nothing more is filled in: such a text is too long for any message.
 * @param mode `html` escapes the values, `raw` leaves them
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

/** The variables that a template names, each once; of `{{name.part}}` the name. */
export const variablesIn = (template: string): string[] => [
  ...new Set(Array.from(template.matchAll(placeholder), ([, name = '']) => name.replace(/\..*/, ''))),
];

/** Turns line breaks and other control characters into one space, since they would end a header (D70). */
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

/** How a value reads: a list by its plain values; undefined for what says nothing to a reader, as an object (D68). */
export function textOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return isPlain(value) ? String(value) : undefined;
  const plain = value.filter(isPlain);
  return plain.length === 0 ? undefined : plain.join(', ');
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
