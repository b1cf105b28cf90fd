import { z } from 'zod';
import { violatedConstraint } from '../../db/constraints.js';
import { HttpError, notFound } from '../http-error.js';

export const physicianNotFound = () => notFound('Physician not found');
export const licenseNotFound = () => notFound('License not found');
export const ruleNotFound = () => notFound('Routing rule not found');
const conflict = (error: string) => new HttpError(409, { error });

/** What a constraint's no means to the caller (page 1, Registry endpoints; D51). */
const refusals: Readonly<Record<string, () => HttpError>> = {
  physician_email: () => conflict('A physician with this email already exists'),
  license_active_state: () => conflict('An active license for this state already exists'),
  license_physician_id_fkey: physicianNotFound,
  routing_rule_physician_id_fkey: physicianNotFound,
};

/**
 * Waits for a write. The constraints of the tables are the guard, which holds between requests at the same moment too.
 * @throws HttpError in place of their violation
 */
export async function writing<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw refusals[violatedConstraint(error) ?? '']?.() ?? error;
  }
}

export const isUuid = (text: string): boolean => z.guid().safeParse(text).success;
