import { ApplicationFailure, setCurrentDetails } from '@temporalio/workflow';
import type { CreationActivities, CreationRequest } from '../../activities/organization/creation.js';
import { failureTypes } from '../../domain/failures.js';
import { failureOf, ordinary, ownRecords } from '../proxies.js';

// Three tries of at most 4 s, 0.5 and 1 s apart: then the caller is told that the EMR is away (D79).
const emr = ordinary<CreationActivities>({
  startToCloseTimeout: '4 s',
  retry: { initialInterval: '500 ms', maximumAttempts: 3 },
});
const records = ownRecords<CreationActivities>();

/**
 * Makes an organization here and in the EMR, which knows it by its id here. That it is being made is noted before
 * the run starts; a run that fails leaves the note, by which a retry for the same slug goes on, and which is taken
 * back with what the EMR holds when nobody retries (discardOrganization).
 * @throws Unavailable or Rejected by the EMR, SlugTaken; nothing is stored then
 */
export async function createOrganization(request: CreationRequest): Promise<void> {
  const { id: organizationId, displayName } = request;
  const { emrOrganizationId } = await emr('1/2 Find or make it in the EMR')
    .ensureEmrOrganization({ organizationId, displayName })
    .catch((error: unknown) => {
      throw failed(
        failureOf(error).type,
        failureOf(error).message,
        'Once the EMR answers again, the same request goes on where this one ended.',
      );
    });

  const { refused } = await records('2/2 Store it').storeOrganization({ ...request, emrOrganizationId });
  if (refused !== null)
    throw failed(
      failureTypes.slugTaken,
      refused,
      'What the EMR holds of it is deleted within about an hour.',
    );
  setCurrentDetails(`**Created**, in the EMR as Organization ${emrOrganizationId}.`);
}

function failed(type: string, message: string, whatNow: string): ApplicationFailure {
  setCurrentDetails(`**FAILED: ${message}.**\nNothing was stored. ${whatNow}`);
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}
