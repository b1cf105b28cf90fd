import type { PhysicianWithSignature } from '../../db/registry/physicians.js';
import { warningsOf } from '../../domain/check-digits.js';

/** A physician as a write answers it (D151). */
export function withWarnings(physician: PhysicianWithSignature) {
  const warnings = warningsOf(physician);
  return { physician, ...(warnings.length === 0 ? {} : { warnings }) };
}
