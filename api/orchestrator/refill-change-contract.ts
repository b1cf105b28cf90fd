import { z } from 'zod';
import { maxOrderLine, type OrderAddress } from '../../domain/orderable-patient.js';
import { maxDosageLength } from '../../domain/orchestrator/pipeline.js';
import { maxDaysSupply } from '../../domain/orchestrator/refills.js';
import { isUnitedStates, isUsZip } from '../../domain/us-address.js';
import { filled, text } from '../../platform/http/text.js';
import { httpError } from '../http-errors.js';
import { day } from './contract.js';
import { onBehalfOf } from './on-behalf-of.js';

const trim = (text: string) => text.trim();
const line = filled(maxOrderLine).overwrite(trim);

/** An address that we can ship to (D149, D152). */
const shipTo = z.object({
  addressLine1: line,
  addressLine2: text(maxOrderLine).overwrite(trim).nullish(),
  city: line,
  state: filled(maxOrderLine)
    .overwrite((state) => state.trim().toUpperCase())
    .regex(/^[A-Z]{2}$/, 'must be a two-letter code')
    .describe('Two-letter code, in either case; decides the route'),
  zip: line.refine(isUsZip, 'must have 5 or 9 digits'),
  country: text(100).refine(isUnitedStates, 'must be the United States').optional(),
});

export const skipRequest = z
  .object({ reason: text(500).optional().describe('Kept with the schedule'), ...onBehalfOf })
  .nullish();
export const moveRequest = z
  .object({ nextFillDate: day.describe('From today to 180 days ahead'), ...onBehalfOf })
  .meta({ id: 'RefillMove' });
export const shipToRequest = z
  .object({
    shipTo: shipTo.nullable().describe('null: back to the address in the EMR'),
    fills: z.int().min(1).max(12).default(1).describe('How many of the next refills go there'),
    ...onBehalfOf,
  })
  .meta({ id: 'RefillShipTo' });
export const scheduleChange = z
  .object({
    dosage: filled(maxDosageLength).optional().describe('Directions to the patient'),
    quantity: z.number().positive().optional(),
    daysSupply: z.int().min(1).max(maxDaysSupply).optional(),
  })
  .meta({ id: 'RefillScheduleChange' });

export const notMovable = httpError
  .extend({ earliestFillDate: z.string().optional().describe('Where the date is too early') })
  .meta({ id: 'RefillNotMovable' });

export const addressOf = (given: z.infer<typeof shipTo>): OrderAddress => {
  const { addressLine1: line1, addressLine2: line2, city, state, zip } = given;
  return { line1, ...(line2 ? { line2 } : {}), city, state, zip };
};
