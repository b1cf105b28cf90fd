import { z } from 'zod';
import { maxOrderLine } from '../../domain/orderable-patient.js';
import {
  replacementPayers,
  replacementReasons,
  replacementStates,
} from '../../domain/orchestrator/replacement.js';
import { pharmacies } from '../../domain/pharmacies.js';
import { isUnitedStates, isUsZip } from '../../domain/us-address.js';
import { filled, text, trimmedState } from '../../platform/http/text.js';

const line = filled(maxOrderLine);
/** Another address for an order (D152). */
export const shipTo = z
  .object({
    addressLine1: line,
    addressLine2: text(maxOrderLine).optional(),
    city: line,
    state: trimmedState.describe('Two-letter code, in either case'),
    zip: filled(20).refine(isUsZip, 'must have 5 or 9 digits'),
    country: text(100).refine(isUnitedStates, 'must be the United States').optional(),
  })
  .meta({ id: 'ShipTo' });
export type ShipToRequest = z.infer<typeof shipTo>;

export const replacement = z
  .object({
    n: z.number().int(),
    reference: z.string().describe('Reference of the order: `<taskId>~<n>`'),
    submissionId: z.string().nullable().describe('Null until the pharmacy has answered'),
    pharmacy: z.enum(pharmacies),
    reason: z.enum(replacementReasons),
    paidBy: z.enum(replacementPayers),
    state: z.enum(replacementStates).describe('`unknown`: the pharmacy did not answer; the router asks'),
    at: z.date(),
  })
  .meta({ id: 'Replacement' });
