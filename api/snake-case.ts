/** A record with snake_case field names, as the specification writes them. */
export const snakeCased = <T extends object>(record: T) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as unknown,
    ]),
  ) as SnakeCased<T>;

type SnakeCased<T> = { [K in keyof T as K extends string ? SnakeCase<K> : never]: T[K] };
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
