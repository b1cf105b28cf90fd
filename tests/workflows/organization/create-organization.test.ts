import { describe } from '@jest/globals';
import { createOrganization, creating } from '../../replay/cases/create-organization.js';
import { failingFirst, ownFault } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const { testCases } = useRuns('createOrganization');

describe('an organization that is created', () => {
  testCases(createOrganization);
  testCases({
    'EMR answer lost': creating(
      {
        behavior: 'it goes on with what the EMR answers when asked again',
        times: { ensureEmrOrganization: 2 },
        inputs: { storeOrganization: [{ emrOrganizationId: 'emr-1' }] },
      },
      { ensureEmrOrganization: failingFirst(1, async () => ({ emrOrganizationId: 'emr-1' })) },
    ),
    'database down': creating(
      {
        behavior: 'an outage after the EMR has made it is waited out, under the same ids',
        times: { ensureEmrOrganization: 1 },
        inputs: { storeOrganization: Array(31).fill({ emrOrganizationId: 'emr-1' }) },
      },
      { storeOrganization: failingFirst(30, async () => ({ refused: null }), ownFault) },
    ),
  });
});
