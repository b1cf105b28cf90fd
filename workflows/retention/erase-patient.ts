import { continueAsNew, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { ErasureActivities } from '../../activities/retention/retention.js';
import {
  type ErasedPart,
  erasedPartNames,
  erasedParts,
  erasureDetails,
} from '../../domain/retention/erasures.js';
import { ordinary, ownRecords } from '../proxies.js';

// Tables are read through, which takes minutes where they are large. Our own database's outage is waited out.
const parts = ordinary<ErasureActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});
const records = ownRecords<ErasureActivities>();

const eraseIn = {
  notification: 'eraseInNotification',
  router: 'eraseInRouter',
  bridge: 'eraseInBridge',
  orchestrator: 'eraseInOrchestrator',
  intake: 'eraseInIntake',
  patients: 'eraseInPatients',
} as const satisfies Record<ErasedPart, keyof ErasureActivities>;

const shortestPauseSeconds = 2;
/** What is waited for settles within days by itself: a delivery after 72 h at the latest. */
const longestPauseSeconds = 3_600;

/** The erasure, and what the runs before this one have overwritten, when it waits for longer than one history holds. */
export interface Erasing {
  erasureId: string;
  erased?: number;
}

/**
 * Overwrites what a patient has told us in every service, a service after the other (D94), and again what a run was
 * still at work with, until nothing of it is left. The address, by which the rest is found, goes last.
 * @returns how many records were overwritten
 */
export async function erasePatient({ erasureId, erased: before = 0 }: Erasing): Promise<{ erased: number }> {
  let erased = before;
  for (let pauseSeconds = shortestPauseSeconds; ; pauseSeconds = longer(pauseSeconds)) {
    await records('Find whom it is about').openErasure({ erasureId });
    let waiting = 0;
    for (const part of erasedPartNames) {
      const done = await parts(`Erase ${erasedParts[part]}`)[eraseIn[part]]({ erasureId });
      erased += done.erased;
      waiting += done.waiting;
    }
    if (waiting === 0) break;
    setCurrentDetails(
      `**${erased}** records overwritten. **Waiting** for ${waiting} that runs are still at work with; looked at again in ${pauseSeconds} s.`,
    );
    await sleep(`${pauseSeconds} s`);
    if (workflowInfo().continueAsNewSuggested)
      return continueAsNew<typeof erasePatient>({ erasureId, erased });
  }
  await records('Note that it is complete').closeErasure({ erasureId });
  setCurrentDetails(`**${erased}** records overwritten. ${erasureDetails('completed')}`);
  return { erased };
}

const longer = (pauseSeconds: number): number => Math.min(2 * pauseSeconds, longestPauseSeconds);
