import { z } from 'zod';
import type {
  DirectionsChanged,
  OrderSettled,
  PaymentProfileSaved,
  RerouteAsked,
  ShippedAfterCancel,
} from '../../domain/events.js';
import type { PlanNotice } from '../../domain/orchestrator/plan-notices.js';
import { pharmacies } from '../../domain/pharmacies.js';

const text = z.string().optional();
export const activated = z.object({
  emrEventName: z.string(),
  resource: z.looseObject({
    identifier: z.array(z.looseObject({ system: text, value: text })).optional(),
    subject: z.looseObject({ reference: text }).optional(),
    medicationCodeableConcept: z
      .looseObject({ text, coding: z.array(z.looseObject({ code: text })).optional() })
      .optional(),
    medicationReference: z.looseObject({ reference: text }).optional(),
    contained: z.array(z.looseObject({})).optional(),
    dosageInstruction: z.array(z.looseObject({ text, sequence: z.number().optional() })).optional(),
    doNotPerform: z.boolean().optional(),
  }),
});

export const profileSaved: z.ZodType<PaymentProfileSaved> = z.object({
  submissionId: z.string(),
  emrPatientId: z.string(),
  customerId: z.string(),
  paymentMethodId: z.string(),
  couponCode: z.string().nullable(),
  planAmountCents: z.int(),
  intakeType: z.string().nullable(),
  emailProven: z.boolean(),
  savedAt: z.iso.datetime(),
});

export const updated = z.object({ resourceId: z.string().min(1) });
export const archived = z.object({ emrPatientId: z.string().min(1).nullable() });
export const referenced = z.object({ reference: z.string() });

export const charged = z.object({ reference: z.string(), attempt: z.int() });
export const planned = z.object({ planId: z.uuid(), mayBeDue: z.boolean() });
const fill = z.object({ planId: z.uuid(), fill: z.int() });
export const planNotice: z.ZodType<PlanNotice> = z.union([
  fill.extend({ round: z.int(), stage: z.union([z.literal(1), z.literal(2), z.literal(3)]) }),
  fill.extend({ reminder: z.int() }),
]);
export const planFill = z.object({ planId: z.uuid(), n: z.int() });
export const erased = z.object({ scheduleId: z.uuid() });
export const dueSoon = z.object({ scheduleId: z.uuid(), n: z.int() });

export const orderSettled: z.ZodType<OrderSettled> = z.object({
  submissionId: z.string(),
  clientId: z.string(),
  sourceOrderId: z.string(),
  pharmacy: z.string(),
  pharmacyOrderId: z.string().nullable(),
});

export const directionsChanged: z.ZodType<DirectionsChanged> = z.object({
  submissionId: z.string(),
  clientId: z.string(),
  sourceOrderId: z.string(),
  holdId: z.string(),
});
export const rerouteAsked: z.ZodType<RerouteAsked> = z.object({
  submissionId: z.string(),
  sourceOrderId: z.string(),
  pharmacy: z.enum(pharmacies),
  requestedBy: z.string(),
});

export const shippedAfterCancel: z.ZodType<ShippedAfterCancel> = z.object({
  submissionId: z.string(),
  sourceOrderId: z.string(),
  status: z.enum(['shipped', 'delivered']),
});
