import type { OpenApiDocument, Schema } from './document.js';

/** What Unicode's classes stand for, in ranges that every language's expressions read; of format characters the usual. */
const ranges: Readonly<Record<string, string>> = {
  Cc: '\\u0000-\\u001f\\u007f-\\u009f',
  Cf: '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff',
  Zl: '\\u2028',
  Zp: '\\u2029',
};
const other = `${ranges['Cc'] ?? ''}${ranges['Cf'] ?? ''}`;

/**
 * A pattern in the words that all languages' expressions have in common: `\p{…}` is ECMAScript's, with a flag that a
 * schema cannot carry, and elsewhere `\d` and `\w` know more digits and letters than we do. Where it cannot say all, it
 * says less: it never refuses what the service takes.
 */
export const portablePattern = (pattern: string): string =>
  pattern
    .replaceAll('\\P{C}', `[^${other}]`)
    .replaceAll('\\p{C}', other)
    .replace(/\\p\{(\w+)\}/g, (_all, name: string) => ranges[name] ?? '')
    .replaceAll('[\\w-]', '[A-Za-z0-9_-]')
    .replaceAll('[\\w.-]', '[A-Za-z0-9_.-]')
    .replaceAll('\\d', '[0-9]');

/**
 * A schema as it is published: a pattern that only repeats a format is left out, the others are portable, and what a
 * contract documents in place of its own schema (`documented`) stands there.
 */
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

/** Named schemas are known to the whole process; a service's document keeps those that it refers to. */
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

/** What a caller sends is named after itself; the framework tells it by `Input` from what is answered under that name. */
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

/** Finds the name of a schema that is a named one in all but its description. */
export function namesOf(schemas: Record<string, Schema>): (schema: Schema) => string | undefined {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [bare(schema), name]));
  return (schema) => names.get(bare(schema));
}

const bare = ({ description: _description, ...rest }: Schema): string => JSON.stringify(rest);
