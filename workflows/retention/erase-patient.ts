import { continueAsNew, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { ErasureActivities } from '../../activities/retention/retention.js';
import {
  type ErasedPart,
  erasedPartNames,
  erasedParts,
  erasureDetails,
} from '../../domain/retention/erasures.js';
import { ordinary, ownRecords } from '../proxies.js';

// Full scans of large tables take minutes.
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
/** The awaited runs end within days, a delivery after 72 h at the latest. */
const longestPauseSeconds = 3_600;

export interface Erasing {
  erasureId: string;
  /** Records that the continued runs have overwritten. */
  erased?: number;
}

/**
 * Overwrites a patient's data in all services (D94), and repeats until no run uses any. The address, by which the rest
 * is found, goes last.
 * @returns the number of overwritten records
 */
export async function erasePatient({ erasureId, erased: before = 0 }: Erasing): Promise<{ erased: number }> {
  let erased = before;
  for (let pauseSeconds = shortestPauseSeconds; ; pauseSeconds = longer(pauseSeconds)) {
    await records('Find the patient').openErasure({ erasureId });
    let waiting = 0;
    for (const part of erasedPartNames) {
      const done = await parts(`Erase ${erasedParts[part]}`)[eraseIn[part]]({ erasureId });
      erased += done.erased;
      waiting += done.waiting;
    }
    if (waiting === 0) break;
    setCurrentDetails(
      `**${erased}** records overwritten. **Waiting** for ${waiting} that runs still use; the next check follows in ${pauseSeconds} s.`,
    );
    await sleep(`${pauseSeconds} s`);
    if (workflowInfo().continueAsNewSuggested)
      return continueAsNew<typeof erasePatient>({ erasureId, erased });
  }
  const leavesByAddress = await records('Complete the erasure').closeErasure({ erasureId });
  setCurrentDetails(`**${erased}** records overwritten. ${erasureDetails('completed', leavesByAddress)}`);
  return { erased };
}

const longer = (pauseSeconds: number): number => Math.min(2 * pauseSeconds, longestPauseSeconds);
