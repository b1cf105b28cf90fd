import { z } from 'zod';
import { printable, maxDosageLength, maxTaskIdLength } from '../../domain/orchestrator/pipeline.js';
import { askedReasons, askedThings, planStates } from '../../domain/orchestrator/plans.js';
import { maxDaysSupply } from '../../domain/orchestrator/refills.js';
import { filled, text } from '../../platform/http/text.js';
import { pageQuery } from '../cursor.js';
import { httpError } from '../http-errors.js';
import { approveRequest, day } from './contract.js';
import { clientOfEntry, clientQuery } from './whose.js';

const maxPhases = 24;
const maxFills = 24;
const fhirId = approveRequest.shape.emrPatientId;
const treatment = text(40).regex(/^[a-z0-9-]{1,40}$/, 'Must be small letters, digits or -');

const newPhase = z.object({
  medication: approveRequest.shape.medication,
  dosage: filled(maxDosageLength).optional().describe('Directions that replace those of the medication'),
  fills: z.int().min(1).max(maxFills),
  daysSupply: z.int().min(1).max(maxDaysSupply).optional().describe('Default: that of the medication'),
  checkIn: z.enum(['none', 'phase', 'fill']).default('phase').describe('When the patient must report'),
  decision: z.enum(['none', 'phase']).default('phase').describe('When the prescriber must decide'),
});
export const newPlan = z
  .object({
    planRef: filled(maxTaskIdLength)
      .regex(printable, 'Must be printable characters')
      .describe('Your id of the plan; the same one and body again returns the same plan'),
    emrPatientId: fhirId,
    treatment: treatment.describe('A patient has one open plan for each'),
    startDate: day.optional().describe('Day of the first fill. Default: today'),
    prescribedUntil: day
      .optional()
      .describe('A later fill waits for a renewal. Default: startDate + 365 days'),
    phases: z.array(newPhase).min(1).max(maxPhases),
    running: z
      .object({
        phase: z.int().min(1).max(maxPhases),
        sent: z.int().min(0).max(maxFills).describe('Fills of that phase that were sent'),
        lastFillDate: day,
      })
      .optional()
      .describe('Takes over a course that began elsewhere'),
  })
  .meta({ id: 'NewPlan' });
export type NewPlanRequest = z.infer<typeof newPlan>;

const plan = z
  .object({
    id: z.string(),
    planRef: z.string(),
    emrPatientId: z.string(),
    treatment: z.string(),
    state: z.enum(planStates),
    phases: z.array(
      z.object({
        n: z.int(),
        medication: z.string(),
        dosage: z.string().nullable(),
        fills: z.int(),
        daysSupply: z.int(),
        checkIn: z.enum(['none', 'phase', 'fill']),
        decision: z.enum(['none', 'phase']),
        sent: z.int(),
      }),
    ),
    phase: z.int().describe("The next fill's; the last one's after the end"),
    fill: z.int().nullable().describe('Number of the next fill over all; null when ended'),
    fillsSent: z.int(),
    nextFillDate: z.string(),
    waitingFor: z.array(
      z.object({
        what: z.enum(askedThings),
        because: z.enum(askedReasons),
        fill: z.int(),
        since: z.string(),
        dueAt: z.string().describe('The day of the fill'),
      }),
    ),
    prescribedUntil: z.string(),
    stoppedBecause: z.string().nullable(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'TreatmentPlan' });
const checkIn = z
  .object({
    id: z.string(),
    at: z.date(),
    fill: z.int(),
    phase: z.int(),
    flagged: z.boolean(),
    daysOnHand: z.int().nullable(),
  })
  .meta({ id: 'CheckIn' });

export const onePlan = z.object({ plan });
export const plans = z.object({
  plans: z.array(plan.extend(clientOfEntry).meta({ id: 'ListedPlan' })),
  nextCursor: z.string().nullable(),
});
export const planWithHistory = z.object({
  plan,
  checkIns: z.array(checkIn),
  decisions: z.array(
    z.object({
      at: z.date(),
      fill: z.int(),
      phase: z.int(),
      by: z.string(),
      reason: z.string().nullable(),
    }),
  ),
});
export const planQuery = pageQuery.extend({
  ...clientQuery,
  state: z.enum(planStates).optional(),
  emrPatientId: fhirId.optional(),
  treatment: treatment.optional(),
});

/** A number that must be that of the fill that is asked for. */
const fill = z.int().min(1).max(1_000_000).optional().describe('Must be the next fill, else 409');
export const newCheckIn = z
  .object({
    answers: z.looseObject({}).describe('Any object of at most 64 KiB, kept byte for byte'),
    flagged: z.boolean().default(false).describe('The next fill then waits for a decision'),
    daysOnHand: z.int().min(0).max(365).optional().describe('Moves the next fill to a later day'),
    fill,
  })
  .meta({ id: 'NewCheckIn' });
export const checkedIn = z.object({ checkIn, plan });
export const readCheckIn = z.object({
  checkIn: checkIn.extend({ answers: z.looseObject({}).nullable().describe('null once erased') }),
});
const by = filled(200).describe('Who decided');
export const newDecision = z
  .object({
    phase: z.int().min(1).max(maxPhases).describe('Phase of the next fill'),
    by,
    reason: text(2_000).optional(),
    fill,
  })
  .meta({ id: 'NewDecision' });
export const renewal = z
  .object({ prescribedUntil: day.describe('Not before the next fill'), by, fill })
  .meta({ id: 'PlanRenewal' });
export const stopRequest = z.object({ reason: filled(500) }).meta({ id: 'PlanStop' });

export const planConflict = httpError
  .extend({
    planId: z.string().optional().describe('The plan that exists'),
    fill: z.int().optional().describe('The fill that is asked for'),
    from: z.string().optional().describe('The first day on which a check-in is taken'),
  })
  .meta({ id: 'PlanConflict' });
