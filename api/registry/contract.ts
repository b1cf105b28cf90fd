import { z } from 'zod';
import { isCalendarDay } from '../../domain/calendar.js';
import { checkDigitWarnings } from '../../domain/check-digits.js';
import { licenseTypes, physicianPlatforms, platforms } from '../../domain/registry/physician-routing.js';
import { routableStates } from '../../domain/us-states.js';
import { base64Of, dataUriPrefix, maxSignatureBytes } from '../../domain/signature-image.js';
import { isPng } from '../../platform/png.js';
import { issueErrors, httpError } from '../http-errors.js';
import { emailAddress, filled, guid, text, twoLetters } from '../../platform/http/text.js';

const state = twoLetters
  .transform((code) => code.toUpperCase())
  .describe('Two-letter state code, in either case');
const platform = z.enum(platforms);
/** The fifty states and DC (D52). */
const licenseState = state.refine((code) => routableStates.includes(code), 'must be a state or DC');
const noDay = 'must be a calendar day, YYYY-MM-DD';
const calendarDay = text(10, noDay).refine(isCalendarDay, noDay).describe('YYYY-MM-DD, valid to its end');
const nullable = z.string().nullable();

/** Any text, so that an id that is no UUID is 404 like an unknown one. */
export const idParams = z.object({ id: z.string() });
export const licenseParams = z.object({ id: z.string(), lid: z.string() });

/** Left out of answers to another physician's key (D96). */
const hiddenFromColleagues = nullable.optional();

const routedPhysician = z.object({
  id: z.uuid(),
  firstName: z.string(),
  lastName: z.string(),
  suffix: nullable,
  npi: z.string(),
  deaNumber: hiddenFromColleagues,
  phone: nullable,
  fax: nullable,
  addressLine1: nullable,
  addressCity: nullable,
  addressState: nullable,
  addressZip: nullable,
  emrPractitionerId: nullable,
});

const physician = routedPhysician
  .extend({
    email: nullable,
    organization: nullable,
    platform: z.enum(physicianPlatforms),
    isActive: z.boolean(),
  })
  .meta({ id: 'Physician' });

const physicianWithSignature = physician
  .extend({ signatureImage: hiddenFromColleagues.describe('Base64 PNG as received') })
  .meta({ id: 'PhysicianWithSignature' });

const license = z
  .object({
    id: z.uuid(),
    physicianId: z.uuid(),
    state: z.string(),
    licenseNumber: z.string(),
    expirationDate: calendarDay.nullable().describe('null if it does not expire'),
    licenseType: z.enum(licenseTypes).nullable(),
    isActive: z.boolean(),
  })
  .meta({ id: 'License' });

const flag = text(5).pipe(z.stringbool({ truthy: ['true'], falsy: ['false'] }));
const active = flag.default(true);
export const listQuery = z.object({
  platform: platform.optional().describe('Also matches physicians of both platforms'),
  organization: text(200)
    .regex(/^\P{C}*$/u)
    .optional()
    .describe('Case-insensitive'),
  active,
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: text(18, 'must be the nextCursor of an earlier answer')
    .regex(/^\d{1,18}$/, 'must be the nextCursor of an earlier answer')
    .default('0'),
});
export const physicianList = z.object({ physicians: z.array(physician), nextCursor: z.string().nullable() });

const maxBase64Length = Math.ceil(maxSignatureBytes / 3) * 4;
const noSignature = 'must be a PNG of at most 512 KiB in Base64';

/** A decodable PNG in Base64, bare or as a data URI (D55). */
export const signatureImage = text(dataUriPrefix.length + maxBase64Length, noSignature)
  .refine(isSignatureImage, noSignature)
  .describe('PNG of at most 512 KiB and 4,000 x 4,000 pixels in Base64, bare or as a data URI');

function isSignatureImage(image: string): boolean {
  const base64 = base64Of(image);
  if (base64.length > maxBase64Length) return false;
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 && bytes.length <= maxSignatureBytes && isPng(bytes);
}

const name = filled(100);
const optionalText = text(500).nullable().optional();
const npi = text(10, 'must be 10 digits').regex(/^\d{10}$/, 'must be 10 digits');

/** Page 1, POST /physicians. Optional fields can be null, so that a client can send an answer back. */
export const newPhysician = z
  .object({
    firstName: name,
    lastName: name,
    npi,
    email: emailAddress.nullable().optional(),
    suffix: optionalText.describe('Such as FNP-C, MD, DO, PA'),
    deaNumber: optionalText,
    phone: optionalText,
    fax: optionalText,
    addressLine1: optionalText,
    addressCity: optionalText,
    addressState: state.nullable().optional(),
    addressZip: optionalText,
    signatureImage: signatureImage.nullable().optional(),
    organization: optionalText,
    platform: z.enum(physicianPlatforms).optional().describe('`both` by default'),
    emrPractitionerId: guid.nullable().optional(),
  })
  .meta({ id: 'NewPhysician' });
export const physicianChanges = newPhysician.partial().meta({ id: 'PhysicianChanges' });
export const signatureBody = z.object({ signatureImage });

/** Numbers that are probably mistyped; left out without any (D151). */
const warnings = z.array(z.enum(checkDigitWarnings)).optional();
export const physicianAnswer = z.object({ physician: physicianWithSignature, warnings });
export const physicianEnded = physicianAnswer.extend({ success: z.literal(true) });
export const profileAnswer = z.object({ physician: physicianWithSignature, licenses: z.array(license) });
export const changedProfile = profileAnswer.extend({ warnings });
export const signatureAnswer = z.object({ success: z.literal(true) });

/** Page 1, POST /physicians/:id/licenses. */
export const newLicense = z
  .object({
    state: licenseState,
    licenseNumber: filled(500),
    expirationDate: calendarDay.nullable().optional(),
    licenseType: z.enum(licenseTypes).nullable().optional(),
  })
  .meta({ id: 'NewLicense' });
export const licenseChanges = newLicense.partial().meta({ id: 'LicenseChanges' });
export const licenseAnswer = z.object({ license });
export const licenseEnded = z.object({ success: z.literal(true), license });
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
  physicianId: text(1_000).optional().describe('Checks whether this physician may prescribe in the state'),
  withSignature: flag.optional().describe('`true` adds `signatureImage` to the physician'),
});
const signedPhysician = routedPhysician.extend({
  signatureImage: hiddenFromColleagues.describe('Base64 PNG as received; only `withSignature`'),
});
export const routeAnswer = z.union([
  z.object({ physician: signedPhysician, licenseNumber: z.string(), priority: z.int() }),
  z.object({ physician: z.null(), reason: z.string() }),
  z.object({ authorized: z.literal(true), licenseNumber: z.string() }),
  z.object({ authorized: z.literal(false), reason: z.string() }),
]);

/** D54, POST /routing-rules. */
export const newRule = z
  .object({
    platform,
    state: licenseState,
    physicianId: guid,
    priority: z.int32().describe('Higher wins'),
  })
  .meta({ id: 'NewRoutingRule' });
export const ruleChanges = newRule
  .partial()
  .extend({ isActive: z.boolean().optional() })
  .meta({ id: 'RoutingRuleChanges' });
const rule = newRule
  .extend({ id: z.uuid(), state: z.string(), isActive: z.boolean() })
  .meta({ id: 'RoutingRule' });
export const rulesQuery = z.object({ active });
export const rulesAnswer = z.object({ rules: z.array(rule) });
export const ruleAnswer = z.object({ rule });
export const ruleEnded = z.object({ success: z.literal(true), rule });

export const common = { tags: ['Registry'], security: [{ signature: [] }] };
export const errors = issueErrors(401, 403, 429, 500);
export const bodyErrors = issueErrors(400, 401, 403, 413, 415, 429, 500);
export const notFoundError = issueErrors(404);
export const emailTaken = { 409: httpError.describe('Another physician has the e-mail address') };
