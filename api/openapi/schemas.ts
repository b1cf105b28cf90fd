import type { OpenApiDocument, Schema } from './document.js';

/** Unicode classes as portable ranges, with only the common format characters. */
const ranges: Readonly<Record<string, string>> = {
  Cc: '\\u0000-\\u001f\\u007f-\\u009f',
  Cf: '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff',
  Zl: '\\u2028',
  Zp: '\\u2029',
};
const other = `${ranges['Cc'] ?? ''}${ranges['Cf'] ?? ''}`;

/**
 * A pattern that all regular expression languages read alike. `\p{…}` needs an ECMAScript flag that a schema cannot carry,
 * and other languages match more characters with `\d` and `\w`. The result never rejects a value that the service accepts.
 */
export const portablePattern = (pattern: string): string =>
  pattern
    .replaceAll('\\P{C}', `[^${other}]`)
    .replaceAll('\\p{C}', other)
    .replace(/\\p\{(\w+)\}/g, (_all, name: string) => ranges[name] ?? '')
    .replaceAll('[\\w-]', '[A-Za-z0-9_-]')
    .replaceAll('[\\w.-]', '[A-Za-z0-9_.-]')
    .replaceAll('\\d', '[0-9]');

/** Makes patterns portable, drops a pattern that repeats a format, and applies the overrides in `documented`. */
export function publishedSchema(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(publishedSchema);
  if (typeof part !== 'object' || part === null) return part;
  const { documented, pattern, ...rest } = part as Schema;
  const shown = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, publishedSchema(value)]),
  );
  if (typeof pattern === 'string' && rest['format'] === undefined)
    shown['pattern'] = portablePattern(pattern);
  else if (pattern !== undefined && typeof pattern !== 'string') shown['pattern'] = publishedSchema(pattern);
  if (typeof documented !== 'object' || documented === null) return shown;
  const { description } = shown;
  return { ...(description === undefined ? {} : { description }), ...documented };
}

export const schemaPrefix = '#/components/schemas/';

/** Schemas are registered for the whole process, so a document keeps only those that it references. */
export function withoutForeignSchemas(document: OpenApiDocument): OpenApiDocument {
  const { components, paths, webhooks } = document;
  const kept = new Set<string>();
  const keep = (part: unknown): void => {
    for (const name of namesIn(part)) {
      if (kept.has(name)) continue;
      kept.add(name);
      keep(components.schemas[name] ?? null);
    }
  };
  keep(paths);
  keep(webhooks ?? {});
  const schemas = Object.fromEntries(Object.entries(components.schemas).filter(([name]) => kept.has(name)));
  return { ...document, components: { ...components, schemas } };
}

/** Removes the suffix `Input` that the framework adds to request schemas, unless a response schema has that name. */
export function withPlainNames(document: OpenApiDocument): OpenApiDocument {
  const names = Object.keys(document.components.schemas);
  const taken = new Set(names);
  const plain = new Map(
    names.flatMap((name) => {
      const short = name.replace(/Input$/, '');
      return short === name || taken.has(short) ? [] : [[name, short] as const];
    }),
  );
  const text = JSON.stringify(document).replace(
    /"#\/components\/schemas\/([^"]+)"/g,
    (_all, name: string) => `"${schemaPrefix}${plain.get(name) ?? name}"`,
  );
  const renamed = JSON.parse(text) as OpenApiDocument;
  const schemas = Object.entries(renamed.components.schemas);
  renamed.components.schemas = Object.fromEntries(
    schemas.map(([name, schema]) => [plain.get(name) ?? name, schema]),
  );
  return renamed;
}

const namesIn = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);

/** Finds the named schema that differs at most in its description. */
export function namesOf(schemas: Record<string, Schema>): (schema: Schema) => string | undefined {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [bare(schema), name]));
  return (schema) => names.get(bare(schema));
}

const bare = ({ description: _description, ...rest }: Schema): string => JSON.stringify(rest);
