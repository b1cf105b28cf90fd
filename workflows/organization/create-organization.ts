import { ApplicationFailure, setCurrentDetails } from '@temporalio/workflow';
import type { CreationActivities, CreationRequest } from '../../activities/organization/creation.js';
import { failureTypes } from '../../domain/failures.js';
import { failureOf, ordinary, ownRecords } from '../proxies.js';

// Three tries of at most 4 s, then the caller gets an error (D79).
const emr = ordinary<CreationActivities>({
  startToCloseTimeout: '4 s',
  retry: { initialInterval: '500 ms', maximumAttempts: 3 },
});
const records = ownRecords<CreationActivities>();

/**
 * Creates an organization here and in the EMR. A failed run leaves its creation record, which a retry for the same
 * slug resumes. Without a retry, discardOrganization removes it.
 * @throws Unavailable or Rejected by the EMR, SlugTaken; nothing is stored then
 */
export async function createOrganization(request: CreationRequest): Promise<void> {
  const { id: organizationId, displayName } = request;
  const { emrOrganizationId } = await emr('1/2 Find or create it in the EMR')
    .ensureEmrOrganization({ organizationId, displayName })
    .catch((error: unknown) => {
      throw failed(
        failureOf(error).type,
        failureOf(error).message,
        'Once the EMR answers again, the same request resumes.',
      );
    });

  const { refused } = await records('2/2 Store it').storeOrganization({ ...request, emrOrganizationId });
  if (refused !== null)
    throw failed(failureTypes.slugTaken, refused, 'Its EMR record is deleted within about an hour.');
  setCurrentDetails(`**Created**, in the EMR as Organization ${emrOrganizationId}.`);
}

function failed(type: string, message: string, hint: string): ApplicationFailure {
  setCurrentDetails(`**FAILED: ${message}.**\nNothing was stored. ${hint}`);
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}
