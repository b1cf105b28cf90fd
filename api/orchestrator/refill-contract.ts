import { z } from 'zod';
import { pausedReasons } from '../../domain/orchestrator/departures.js';
import { defaultDaysSupply, maxDaysSupply, scheduleStatuses } from '../../domain/orchestrator/refills.js';
import { uuid } from '../../platform/http/text.js';
import { pageQuery } from '../cursor.js';
import { approveRequest, day, fhirId } from './contract.js';
import { clientOfEntry, clientQuery } from './whose.js';

/** Like a route without a body it accepts only no body or `{}`, apart from the ids of a trial (D146). */
export const refillCheckRequest = z
  .strictObject(
    { scheduleIds: z.array(uuid).max(1000).optional().describe('Looks at no other schedules') },
    'must be empty or {}',
  )
  .optional();
export const refillCheckAnswer = z.object({
  processed: z.number().int().describe('Number of entries in `results`'),
  results: z.array(
    z.object({
      scheduleId: z.string(),
      emrPatientId: z.string(),
      medication: z.string(),
      processed: z.boolean(),
      reason: z.string().optional(),
    }),
  ),
});

const refillSchedule = z
  .object({
    id: z.string(),
    emrPatientId: z.string(),
    medication: z.string(),
    dosage: z.string().nullable().describe('Directions of the next refill; null: those of the medication'),
    quantity: z.number().nullable().describe("The next refill's; null for an unknown medication"),
    status: z.enum(scheduleStatuses),
    pausedReason: z.enum(pausedReasons).nullable().describe('null unless paused'),
    totalRefillsAllowed: z.number().int(),
    refillsSent: z.number().int(),
    daysSupply: z.number().int(),
    lastFillDate: z.string(),
    nextFillDate: z.string(),
    earliestFillDate: z.string().describe('The next refill can be moved to this day at the earliest'),
    skipped: z.number().int(),
    shipTo: z
      .object({
        addressLine1: z.string(),
        addressLine2: z.string().nullable(),
        city: z.string(),
        state: z.string(),
        zip: z.string(),
        fillsLeft: z.number().int(),
      })
      .nullable()
      .describe('Where the next refills go; null: to the address in the EMR'),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'RefillSchedule' });
export const newRefillSchedule = z
  .object({
    emrPatientId: fhirId,
    medication: approveRequest.shape.medication,
    dosage: approveRequest.shape.dosage,
    totalRefillsAllowed: z.number().int().min(0).max(1000),
    refillsSent: z.number().int().min(0).max(1000).default(0),
    daysSupply: z.number().int().min(1).max(maxDaysSupply).default(defaultDaysSupply),
    lastFillDate: day.optional().describe('Default: today'),
    nextFillDate: day
      .optional()
      .describe('Default: lastFillDate + daysSupply - 3 days, and at least one day after it'),
  })
  .meta({ id: 'NewRefillSchedule' });
export const scheduleQuery = pageQuery.extend({
  ...clientQuery,
  status: z.enum(scheduleStatuses).optional(),
  emrPatientId: fhirId.optional(),
});
export const schedule = z.object({ schedule: refillSchedule });
export const schedules = z.object({
  schedules: z.array(refillSchedule.extend(clientOfEntry).meta({ id: 'ListedRefillSchedule' })),
  nextCursor: z.string().nullable(),
});
