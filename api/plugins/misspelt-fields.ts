import type { RouteOptions } from 'fastify';
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { nearestName } from '../../domain/misspelling.js';

/** Contents that the caller names freely. */
const freeFields = new Set(['variables', 'payload', 'answers', 'data']);

/**
 * Makes the route reject a body with a misspelt field (D136): otherwise a misspelt `dosage` would send the default directions
 * to the pharmacy. The error also lists what the contract rejects.
 */
export function rejectMisspeltFields(route: Pick<RouteOptions, 'schema' | 'validatorCompiler'>): void {
  const contract = route.schema?.body;
  if (!(contract instanceof z.ZodType)) return;
  route.validatorCompiler = (part) => {
    const validate = validatorCompiler(part as FastifyRouteSchemaDef<z.ZodType>);
    if (part.httpPart !== 'body') return validate;
    const reject = validatorCompiler({ ...part, schema: rejecting(contract) });
    return (body: unknown) => (misspeltFields([contract], body).length > 0 ? reject(body) : validate(body));
  };
}

const rejecting = (contract: z.ZodType) =>
  z.unknown().superRefine((body, context) => {
    for (const { path, name } of misspeltFields([contract], body))
      context.addIssue({
        code: 'custom',
        path,
        message: `Unknown field ${String(path.at(-1))}, did you mean ${name}?`,
      });
    for (const { path, message } of contract.safeParse(body).error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message });
  });

interface Misspelt {
  path: (string | number)[];
  name: string;
}

/** @param contracts one of them holds for the value */
export function misspeltFields(contracts: readonly z.core.$ZodType[], value: unknown): Misspelt[] {
  if (Array.isArray(value)) {
    const elements = contracts.flatMap(partsOf).flatMap((def) => (def.type === 'array' ? [def.element] : []));
    return value.flatMap((item, index) => within(index, misspeltFields(elements, item)));
  }
  if (typeof value !== 'object' || value === null) return [];
  const shapes = shapesOf(contracts);
  const known = new Set(shapes.flatMap((shape) => Object.keys(shape)));
  const absent = [...known].filter((name) => !Object.hasOwn(value, name));
  return Object.entries(value).flatMap(([field, content]) => {
    if (freeFields.has(field)) return [];
    if (known.has(field)) {
      const contents = shapes.flatMap(({ [field]: inner }) => inner ?? []);
      return within(field, misspeltFields(contents, content));
    }
    const name = nearestName(field, absent);
    return name === undefined ? [] : [{ path: [field], name }];
  });
}

/** True for an object with fields, none of which the contract knows: it belongs to another route. */
export function hasNoKnownField(contract: z.core.$ZodType, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const [fields, shapes] = [Object.keys(value), shapesOf([contract])];
  const isKnown = (field: string) => shapes.some((shape) => Object.hasOwn(shape, field));
  return fields.length > 0 && shapes.length > 0 && !fields.some(isKnown);
}

const shapesOf = (contracts: readonly z.core.$ZodType[]) =>
  contracts.flatMap(partsOf).flatMap((def) => (def.type === 'object' ? [def.shape] : []));

const within = (part: string | number, found: readonly Misspelt[]): Misspelt[] =>
  found.map(({ path, name }) => ({ path: [part, ...path], name }));

/** The contracts that a value may meet, without what wraps or combines them. */
function partsOf(contract: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'][] {
  const { def } = (contract as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return partsOf(def.innerType);
    case 'pipe':
      return [...partsOf(def.in), ...partsOf(def.out)];
    case 'union':
      return def.options.flatMap(partsOf);
    case 'intersection':
      return [...partsOf(def.left), ...partsOf(def.right)];
    case 'lazy':
      return partsOf(def.getter());
    default:
      return [def];
  }
}
