import { setCurrentDetails } from '@temporalio/workflow';
import type { CreationActivities } from '../../activities/organization/creation.js';
import { ordinary, ownRecords } from '../proxies.js';

const records = ownRecords<CreationActivities>();
// Nobody waits for it, so it is tried for as long as it takes; a refusal fails the run, for an operator to see.
const emr = ordinary<CreationActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '5 s', maximumInterval: '10 min' },
});

/** Takes an organization that nobody went on making back out of the EMR, where it may have come to be (D79). */
export async function discardOrganization(organizationId: string): Promise<void> {
  const isOurs = await records('Claim what was given up').claimOrganizationDiscard({ organizationId });
  if (!isOurs) {
    setCurrentDetails('**Nothing to take back.** Somebody went on with it.');
    return;
  }
  setCurrentDetails(
    'Waiting for the EMR to delete what it holds of an organization that was never stored here.',
  );
  await emr('Delete it in the EMR').deleteEmrOrganization({ organizationId });
  await records('Forget it').forgetOrganizationCreation({ organizationId });
  setCurrentDetails('**Taken back.** Neither the EMR nor we hold anything of it.');
}
