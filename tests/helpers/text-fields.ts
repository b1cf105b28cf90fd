interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

export interface TextField {
  /** Where it stands in the body; of a list the first entry, of a record any name. */
  at: readonly string[];
  /** Undefined where any JSON may stand. */
  schema: Schema | undefined;
  /** A body with a text in that field and nowhere else. */
  holding: (text: string) => unknown;
}

/** Every place in a body where a text may stand that is not one of a few. */
export function textFieldsOf(
  document: { components?: { schemas?: Record<string, Schema> } },
  schema: Schema,
): TextField[] {
  const named = document.components?.schemas ?? {};

  function walk(
    part: Schema,
    at: readonly string[],
    holding: (inner: unknown) => unknown,
    seen: readonly string[],
  ): TextField[] {
    const { $ref } = part;
    if ($ref !== undefined) {
      const name = $ref.split('/').at(-1)!;
      const inner = named[name];
      if (!inner) throw new Error(`there is no ${name}`);
      return seen.includes(name) ? [] : walk(inner, at, holding, [...seen, name]);
    }
    const choices = [...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? [])];
    if (choices.length > 0) return choices.flatMap((choice) => walk(choice, at, holding, seen));
    if (part.enum || part.const !== undefined) return [];
    const types = [part.type ?? []].flat();
    if (types.length === 0 && !part.properties) return [{ at, schema: undefined, holding }];
    if (types.includes('string')) return [{ at, schema: part, holding }];
    const { items, additionalProperties } = part;
    const within = (name: string, inner: Schema) =>
      walk(inner, [...at, name], (value) => holding({ [name]: value }), seen);
    return [
      ...Object.entries(part.properties ?? {}).flatMap(([name, inner]) => within(name, inner)),
      ...(typeof additionalProperties === 'object' ? within('any', additionalProperties) : []),
      ...(items ? walk(items, [...at, '0'], (value) => holding([value]), seen) : []),
    ];
  }
  return walk(schema, [], (value) => value, []);
}
