import { isRefused, type Refusal } from '../../domain/organization/organizations.js';
import { HttpError } from '../http-errors.js';

const statuses = { unknown: 404, forbidden: 403, conflict: 409 } as const;

/** What was done. @throws Refused for what was not */
export function unlessRefused<T extends object>(result: T | Refusal): T {
  if (!isRefused(result)) return result;
  throw new HttpError(statuses[result.refused], result.why);
}
