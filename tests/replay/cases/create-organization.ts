import type { CreationActivities, CreationRequest } from '../../../activities/organization/creation.js';
import type { createOrganization as workflow } from '../../../workflows/organization/create-organization.js';
import type { discardOrganization as discardWorkflow } from '../../../workflows/organization/discard-organization.js';
import { outage, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

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
const creating = (replaced: Partial<CreationActivities> = {}) => ({
  args: [request] as [CreationRequest],
  activities: { ...good, ...replaced },
});
const discarding = (replaced: Partial<CreationActivities> = {}) => ({
  args: [request.id] as [string],
  activities: { ...good, ...replaced },
});

export const createOrganization: CasesOf<typeof workflow> = {
  created: creating(),
  'emr-away': creating({ ensureEmrOrganization: outage }),
  'emr-refuses': creating({ ensureEmrOrganization: refusal('EMR answered 422') }),
  'slug-taken': creating({ storeOrganization: async () => ({ refused: 'taken' }) }),
  running: { ...creating(), openAt: 'ensureEmrOrganization' },
};

export const discardOrganization: CasesOf<typeof discardWorkflow> = {
  discarded: discarding(),
  'gone-on-with': discarding({ claimOrganizationDiscard: async () => false }),
  running: { ...discarding(), openAt: 'deleteEmrOrganization' },
};
