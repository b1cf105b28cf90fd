import { violatedConstraint } from '../../db/constraints.js';
import { conflict, type HttpError, unknown } from '../http-errors.js';

/** What a constraint's no means to the caller (page 1, Registry endpoints; D51). */
const refusals: Readonly<Record<string, () => HttpError>> = {
  physician_email: () => conflict('A physician with this email already exists'),
  license_active_state: () => conflict('An active license for this state already exists'),
  license_physician_id_fkey: () => unknown('Physician'),
  routing_rule_physician_id_fkey: () => unknown('Physician'),
};

/**
 * Waits for a write. The constraints of the tables are the guard, which holds between requests at the same moment too.
 * @throws Refused in place of their violation
 */
export async function unlessViolated<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw refusals[violatedConstraint(error) ?? '']?.() ?? error;
  }
}
