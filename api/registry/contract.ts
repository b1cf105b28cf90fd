import { z } from 'zod';
import { isCalendarDay } from '../../domain/calendar.js';
import { licenseTypes, physicianPlatforms, platforms } from '../../domain/physician-routing.js';

/** Two letters in either case; records and answers carry capitals. */
const state = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'must be a two-letter code')
  .transform((code) => code.toUpperCase())
  .describe('Two-letter state code, in either case');
const platform = z.enum(platforms);
const calendarDay = z.string().refine(isCalendarDay).describe('YYYY-MM-DD, valid to its end');
const text = z.string().nullable();

/** Also for an id that is none: it names nobody, as an unknown one does. */
export const physicianParams = z.object({ id: z.string() });

const routedPhysician = z.object({
  id: z.uuid(),
  firstName: z.string(),
  lastName: z.string(),
  suffix: text,
  npi: z.string(),
  deaNumber: text,
  phone: text,
  fax: text,
  addressLine1: text,
  addressCity: text,
  addressState: text,
  addressZip: text,
  emrPractitionerId: text,
});

const physician = routedPhysician
  .extend({
    email: text,
    organization: text,
    platform: z.enum(physicianPlatforms),
    isActive: z.boolean(),
  })
  .meta({ id: 'Physician' });

const physicianWithSignature = physician
  .extend({ signatureImage: text.describe('Base64 PNG') })
  .meta({ id: 'PhysicianWithSignature' });

const license = z
  .object({
    id: z.uuid(),
    physicianId: z.uuid(),
    state: z.string(),
    licenseNumber: z.string(),
    expirationDate: calendarDay.nullable().describe('null: does not expire'),
    licenseType: z.enum(licenseTypes).nullable(),
    isActive: z.boolean(),
  })
  .meta({ id: 'License' });

export const listQuery = z.object({
  platform: platform.optional().describe('Also finds physicians of both platforms'),
  organization: z
    .string()
    .regex(/^\P{C}*$/u)
    .optional()
    .describe('Compared without regard to case'),
  active: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(true),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .regex(/^\d{1,18}$/, 'must be the nextCursor of an earlier answer')
    .default('0'),
});
export const physicianList = z.object({ physicians: z.array(physician), nextCursor: z.string().nullable() });

export const physicianAnswer = z.object({ physician: physicianWithSignature, licenses: z.array(license) });
export const licensesAnswer = z.object({ licenses: z.array(license) });

export const verifyQuery = z.object({ state });
export const verifyAnswer = z.union([
  z.object({
    licensed: z.literal(true),
    state: z.string(),
    licenseNumber: z.string(),
    expirationDate: calendarDay.nullable(),
    type: z.enum(licenseTypes).nullable(),
  }),
  z.object({
    licensed: z.literal(false),
    state: z.string(),
    reason: z.literal('License expired'),
    expirationDate: calendarDay,
  }),
  z.object({ licensed: z.literal(false), state: z.string() }),
]);

export const routeQuery = z.object({
  platform,
  state,
  physicianId: z.string().optional().describe('Asks whether this physician may prescribe there'),
});
export const routeAnswer = z.union([
  z.object({ physician: routedPhysician, licenseNumber: z.string(), priority: z.int() }),
  z.object({ physician: z.null(), reason: z.string() }),
  z.object({ authorized: z.literal(true), licenseNumber: z.string() }),
  z.object({ authorized: z.literal(false), reason: z.string() }),
]);

export const refusal = z.object({ error: z.string() });
export const invalid = z.object({
  error: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
