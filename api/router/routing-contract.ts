import { z } from 'zod';
import { pharmacies } from '../../domain/pharmacies.js';
import { routableStates } from '../../domain/us-states.js';
import { instant } from '../instant.js';
import { twoLetters as state } from '../../platform/http/text.js';
import { prescriptionSubmission } from './contract.js';

const pharmacy = z.enum(pharmacies);
export const stateCode = z.object({ state: state.transform((code) => code.toUpperCase()) });
/** Territories have no route (D20). */
export const routedState = z.object({
  state: stateCode.shape.state.refine((code) => routableStates.includes(code), 'must be a state or DC'),
});
export const routeQuery = z.object({
  state,
  medication: prescriptionSubmission.shape.medication.shape.name,
  key: prescriptionSubmission.shape.medication.shape.key,
});
export const routeOfOrder = z.object({
  pharmacy: pharmacy.nullable().describe('Null if no pharmacy serves the state'),
  carriesMedication: z.boolean(),
});
export const newRoute = z.object({
  pharmacy,
  priority: z.int32().describe('The active route with the highest priority wins'),
  isActive: z.boolean(),
});
const route = z.object({ state: z.string(), ...newRoute.shape }).meta({ id: 'Route' });
export const routeList = z.object({ routes: z.array(route) });
export const oneRoute = z.object({ route });

export const scorecardQuery = z.object({
  from: instant.optional().describe('Default: 30 days before `to`'),
  to: instant.optional().describe('Default: now'),
});
const seconds = z
  .object({ median: z.number().nullable(), p95: z.number().nullable() })
  .describe('Seconds since submission; null without such an order');
export const scorecard = z.object({
  from: z.date(),
  to: z.date(),
  pharmacies: z.array(
    z
      .object({
        pharmacy,
        orders: z.number().int().describe('Orders submitted in the period, including rejected ones'),
        rejected: z.number().int(),
        secondsToAccepted: seconds,
        secondsToShipped: seconds,
        secondsToDelivered: seconds,
        holds: z.record(z.string(), z.number().int()).describe('Count by hold code'),
        healedByAsking: z.number().int(),
      })
      .meta({ id: 'PharmacyScore' }),
  ),
});
