import { describe } from '@jest/globals';
import { discarding, discardOrganization } from '../../replay/cases/create-organization.js';
import { failingFirst } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const { testCases } = useRuns('discardOrganization');

describe('an organization that was given up', () => {
  testCases(discardOrganization);
  testCases({
    'EMR away': discarding(
      {
        behavior: 'it is forgotten only once the EMR has deleted it, however long that takes',
        calls: [
          'claimOrganizationDiscard',
          ...Array<string>(51).fill('deleteEmrOrganization'),
          'forgetOrganizationCreation',
        ],
      },
      { deleteEmrOrganization: failingFirst(50, async () => undefined) },
    ),
  });
});
