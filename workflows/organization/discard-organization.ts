import { setCurrentDetails } from '@temporalio/workflow';
import type { CreationActivities } from '../../activities/organization/creation.js';
import { ordinary, ownRecords } from '../proxies.js';

const records = ownRecords<CreationActivities>();
// No caller waits, so retries have no limit. A rejection is waited out, which `rx stuck` lists.
const emr = ordinary<CreationActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '5 s', maximumInterval: '10 min' },
});

/** Deletes an abandoned creation from the EMR, which may have the organization (D79). */
export async function discardOrganization(organizationId: string): Promise<void> {
  const isOurs = await records('Claim the creation').claimOrganizationDiscard({ organizationId });
  if (!isOurs) {
    setCurrentDetails('**Nothing to delete.** A retry has resumed the creation.');
    return;
  }
  setCurrentDetails('Waiting for the EMR to delete an organization that was never stored here.');
  await emr('Delete it in the EMR').deleteEmrOrganization({ organizationId });
  await records('Delete the creation').forgetOrganizationCreation({ organizationId });
  setCurrentDetails('**Deleted** in the EMR and here.');
}
