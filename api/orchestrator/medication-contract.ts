import { z } from 'zod';
import { maxDosageLength, printable } from '../../domain/orchestrator/pipeline.js';
import { text } from '../../platform/http/text.js';

const line = (maxCharacters: number) =>
  text(maxCharacters).regex(printable, 'Must be printable characters').trim().min(1);
const noQuantity = 'Must be a positive decimal, e.g. 2.5';

export const medicationKey = z.object({
  key: text(64)
    .regex(/^[a-z0-9][a-z0-9_-]*$/, 'Must be small letters, digits, _ or -, and begin with a letter or digit')
    .describe('The medication of an approval'),
});
/** Any key, so that a row with another form can be removed. */
export const storedKey = z.object({ key: text(200) });

export const newMedication = z
  .object({
    displayName: line(200).describe('Patients read it; its strength is checked at the pharmacy'),
    sig: text(maxDosageLength)
      .trim()
      .min(1)
      .describe('Directions; the `dosage` of an approval replaces them'),
    quantity: text(20, noQuantity)
      .regex(/^\d{1,9}(?:\.\d{1,6})?$/, noQuantity)
      .refine((quantity) => Number(quantity) > 0, noQuantity),
    unit: line(20).default('mL'),
    refills: z.number().int().min(0).max(1000).default(3),
    daysSupply: z.number().int().min(1).max(3650).default(28),
    priceCents: z.number().int().min(0).max(99_999_999).describe('Charged without a plan price'),
    concentrationWarning: z
      .boolean()
      .default(false)
      .describe('Asks the pharmacy to have the concentration verified'),
    sku: line(100).nullable().default(null).describe('Only shown; the catalog of the pharmacy decides'),
    treatment: text(40)
      .regex(/^[a-z0-9-]+$/, 'Must be small letters, digits or -')
      .nullable()
      .default(null),
    indication: text(2_000).trim().min(1).nullable().default(null),
    clinicalJustification: text(2_000)
      .trim()
      .min(1)
      .nullable()
      .default(null)
      .describe('Sent to the pharmacy'),
    isActive: z.boolean().default(true).describe('False: no approvals and new schedules; refills continue'),
  })
  .meta({ id: 'NewMedication' });

const medication = z
  .object({
    key: z.string(),
    displayName: z.string(),
    sig: z.string(),
    quantity: z.string(),
    unit: z.string(),
    refills: z.number().int(),
    daysSupply: z.number().int(),
    priceCents: z.number().int(),
    concentrationWarning: z.boolean(),
    sku: z.string().nullable(),
    treatment: z.string().nullable(),
    indication: z.string().nullable(),
    clinicalJustification: z.string().nullable(),
    isActive: z.boolean(),
    source: z.enum(['built_in', 'stored']),
  })
  .meta({ id: 'Medication' });
export const medications = z.object({ medications: z.array(medication) });
export const oneMedication = z.object({ medication });
export const removed = z.object({
  medication: medication.nullable().describe('The built-in medication that applies again, or null'),
});
export const medicationInUse = z
  .object({ error: z.string(), schedules: z.array(z.string()).describe('Up to 20 schedule ids') })
  .meta({ id: 'MedicationInUse' });
