import type { CreationActivities, CreationRequest } from '../../../activities/organization/creation.js';
import type { createOrganization as workflow } from '../../../workflows/organization/create-organization.js';
import type { discardOrganization as discardWorkflow } from '../../../workflows/organization/discard-organization.js';
import { failureTypes } from '../../../domain/failures.js';
import { outage, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

const request: CreationRequest = {
  id: '00000000-0000-4000-8000-000000000009',
  slug: 'clinic',
  displayName: 'Clinic',
  kind: 'dtc',
  by: { adminId: '00000000-0000-4000-8000-000000000001', ip: '127.0.0.1', userAgent: null },
};

const good: CreationActivities = {
  ensureEmrOrganization: async () => ({ emrOrganizationId: 'emr-1' }),
  storeOrganization: async () => ({ refused: null }),
  claimOrganizationDiscard: async () => true,
  deleteEmrOrganization: async () => undefined,
  forgetOrganizationCreation: async () => undefined,
};
export const creating = (
  expect: Expected,
  replaced: Partial<CreationActivities> = {},
): CheckedCase<Parameters<typeof workflow>> => ({
  args: [request],
  activities: { ...good, ...replaced },
  expect,
});
export const discarding = (
  expect: Expected,
  replaced: Partial<CreationActivities> = {},
): CheckedCase<Parameters<typeof discardWorkflow>> => ({
  args: [request.id],
  activities: { ...good, ...replaced },
  expect,
});

export const createOrganization: CasesOf<typeof workflow> = {
  created: creating({
    behavior: 'it is stored with the id that the EMR gave',
    calls: ['ensureEmrOrganization', 'storeOrganization'],
    inputs: {
      ensureEmrOrganization: [{ organizationId: request.id }],
      storeOrganization: [{ ...request, emrOrganizationId: 'emr-1' }],
    },
  }),
  'emr-away': creating(
    {
      behavior:
        'it fails after three tries when the EMR is away, with nothing stored, and the note kept for a retry',
      failure: { type: failureTypes.unavailable },
      calls: Array<string>(3).fill('ensureEmrOrganization'),
    },
    { ensureEmrOrganization: outage },
  ),
  'emr-refuses': creating(
    {
      behavior: 'it fails at once when the EMR refuses it',
      failure: { type: failureTypes.rejected },
      calls: ['ensureEmrOrganization'],
    },
    { ensureEmrOrganization: refusal('EMR answered 422') },
  ),
  'slug-taken': creating(
    {
      behavior: 'it fails when the slug is gone',
      failure: { type: failureTypes.slugTaken, message: 'taken' },
    },
    { storeOrganization: async () => ({ refused: 'taken' }) },
  ),
  running: { ...creating({ behavior: 'it is made' }), openAt: 'ensureEmrOrganization' },
};

export const discardOrganization: CasesOf<typeof discardWorkflow> = {
  discarded: discarding({
    behavior: 'it is deleted in the EMR before it is forgotten',
    calls: ['claimOrganizationDiscard', 'deleteEmrOrganization', 'forgetOrganizationCreation'],
  }),
  'gone-on-with': discarding(
    { behavior: 'it is left alone when somebody has gone on with it', calls: ['claimOrganizationDiscard'] },
    { claimOrganizationDiscard: async () => false },
  ),
  running: { ...discarding({ behavior: 'it is deleted' }), openAt: 'deleteEmrOrganization' },
};
