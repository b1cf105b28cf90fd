import { parse } from 'postgres-array';
import type postgres from 'postgres';

/** The type number of each element and of its array. They are the same in every Postgres. */
const arrayTypeOf = {
  bool: [16, 1000],
  bytea: [17, 1001],
  int8: [20, 1016],
  int2: [21, 1005],
  int4: [23, 1007],
  text: [25, 1009],
  oid: [26, 1028],
  json: [114, 199],
  float4: [700, 1021],
  float8: [701, 1022],
  char: [1042, 1014],
  varchar: [1043, 1015],
  date: [1082, 1182],
  timestamp: [1114, 1115],
  timestamptz: [1184, 1185],
  numeric: [1700, 1231],
  uuid: [2950, 2951],
  jsonb: [3802, 3807],
} as const;

/**
 * How arrays are read and written, as types for the driver. Left to itself, the driver asks every new connection for
 * its array types, and ends the process if that connection is lost meanwhile. It also reads NULL in an array as a text.
 */
export const arrayTypes = ({
  parsers,
  serializers,
}: Pick<postgres.ParsedOptions, 'parsers' | 'serializers'>): Record<string, postgres.PostgresType> =>
  Object.fromEntries(
    Object.entries(arrayTypeOf).map(([name, [element, array]]) => {
      const [read = String, write = String] = [parsers[element], serializers[element]];
      const isJson = name.startsWith('json');
      const item = (value: unknown): string => {
        if (value === null || value === undefined) return 'null';
        // In a JSON array, a list is an element and not a dimension.
        if (Array.isArray(value) && !isJson) return list(value);
        return `"${String(write(value)).replace(/["\\]/g, '\\$&')}"`;
      };
      const list = (values: readonly unknown[]): string => `{${values.map(item).join(',')}}`;
      const type = {
        to: array,
        from: [array],
        parse: (text: string) => parse(text, read),
        // A string is an array that the caller has written already.
        serialize: (values: unknown) => (Array.isArray(values) ? list(values) : values),
      };
      // The driver makes each name a property of a function, which has a `name` of its own.
      return [`${name}Array`, type];
    }),
  );
