import { isUuid, type Queryable } from '../client.js';

/**
 * The organizations that a caller can see: those of its memberships, or `all` for a superadmin (reliability point
 * 10).
 */
export type Scope = readonly string[] | 'all';

export const within = (sql: Queryable, scope: Scope, column: string) =>
  scope === 'all' ? sql`true` : sql`${sql(column)} = any(${scope.filter(isUuid)}::uuid[])`;
