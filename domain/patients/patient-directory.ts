import type { Patient } from 'fhir/r4.js';
import { isMrn } from './mrn.js';

/** Fields that are set once and never change (page 3, PATCH rules). */
export const writeOnceIdentifiers = [
  'emr_patient_id',
  'payment_customer_id',
  'identity_provider_id',
  'legacy_mrn',
] as const;
/** Setting one of these publishes an event (page 3, Patient events). */
const announcedIdentifiers = ['emr_patient_id', 'payment_customer_id', 'identity_provider_id'] as const;

type WriteOnce = (typeof writeOnceIdentifiers)[number];
/** The only fields that a PATCH may change. */
export type Backfill = Partial<Record<WriteOnce | 'email_lower', string | undefined>>;
export type IdentifierDiff = Partial<
  Record<(typeof announcedIdentifiers)[number], { from: null; to: string }>
>;

/** A row of the directory; times are ISO 8601 with milliseconds. */
export interface PatientRow {
  id: string;
  mrn: string;
  organization_id: string;
  emr_patient_id: string | null;
  payment_customer_id: string | null;
  identity_provider_id: string | null;
  legacy_mrn: string | null;
  email_lower: string | null;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
}

export type BackfillVerdict =
  | { refused: 'archived' }
  | { refused: 'immutable'; field: WriteOnce }
  | { changes: Backfill; diff: IdentifierDiff };

/** The PATCH rules (D75): a field is set once, the same value is no change, an archived patient does not change. */
export function judgeBackfill(row: PatientRow, wanted: Backfill): BackfillVerdict {
  if (row.archived_at !== null) return { refused: 'archived' };
  const changes: Backfill = {};
  for (const field of writeOnceIdentifiers) {
    const value = wanted[field];
    if (value === undefined || value === row[field]) continue;
    if (row[field] !== null) return { refused: 'immutable', field };
    changes[field] = value;
  }
  const { email_lower } = wanted;
  if (email_lower !== undefined && email_lower !== row.email_lower) changes.email_lower = email_lower;
  const diff: IdentifierDiff = {};
  for (const field of announcedIdentifiers) {
    const to = changes[field];
    if (to !== undefined) diff[field] = { from: null, to };
  }
  return { changes, diff };
}

/**
 * True if an EMR patient has the row's MRN, or its legacy number (D96). A patient with another MRN of ours never
 * matches, because a legacy number is unchecked input.
 */
export function isEmrPatientOf(
  { identifier = [] }: Patient,
  { mrn, legacy_mrn: legacyMrn }: Pick<PatientRow, 'mrn' | 'legacy_mrn'>,
  mrnSystemUri: string,
): boolean {
  const ours = identifier.flatMap(({ system, value }) =>
    system === mrnSystemUri && value !== undefined && isMrn(value) ? [value.toUpperCase()] : [],
  );
  if (ours.length > 0) return ours.includes(mrn.toUpperCase());
  return legacyMrn !== null && identifier.some(({ value }) => value === legacyMrn);
}

/** The best match of an e-mail address, as far as the caller may know it (D76). */
export interface EmailMatch {
  inYourOrg: boolean;
  isArchived: boolean;
  hasIdentityProvider: boolean;
}

export const lookupStatuses = ['not_found', 'active', 'sign_in', 'archived', 'other_org'] as const;

export function lookupStatusOf(match: EmailMatch | undefined): (typeof lookupStatuses)[number] {
  if (!match) return 'not_found';
  if (!match.inYourOrg) return 'other_org';
  if (match.isArchived) return 'archived';
  return match.hasIdentityProvider ? 'sign_in' : 'active';
}

/** Only an active organization accepts new patients. */
export const organizationStatuses = ['active', 'suspended', 'archived'] as const;
export type OrganizationStatus = (typeof organizationStatuses)[number];

export const organizationClosedText = (status: OrganizationStatus): string => `The organization is ${status}`;
export const mrnExhaustedText = 'No free medical record number was found';
