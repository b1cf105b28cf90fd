import { violatedConstraint } from '../../db/constraints.js';
import { conflict, type HttpError, unknown } from '../http-errors.js';

/** The error of each violated constraint (page 1, Registry endpoints; D51). */
const errors: Readonly<Record<string, () => HttpError>> = {
  physician_email: () => conflict('A physician with this email already exists'),
  license_active_state: () => conflict('An active license for this state already exists'),
  license_physician_id_fkey: () => unknown('Physician'),
  routing_rule_physician_id_fkey: () => unknown('Physician'),
};

/** @throws HttpError in place of a constraint violation; only constraints hold between concurrent requests */
export async function withConstraintErrors<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw errors[violatedConstraint(error) ?? '']?.() ?? error;
  }
}
