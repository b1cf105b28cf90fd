import type { Queryable } from '../client.js';

/**
 * The organizations that a caller can see: those of its memberships, or `all` for a superadmin (reliability point
 * 10).
 */
export type Scope = readonly string[] | 'all';

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

export const within = (sql: Queryable, scope: Scope, column: string) =>
  scope === 'all' ? sql`true` : sql`${sql(column)} = any(${scope.filter(isUuid)}::uuid[])`;
