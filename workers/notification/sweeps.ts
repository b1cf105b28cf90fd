import { finishDelivery, listOpenDeliveries } from '../../db/notification/deliveries.js';
import { notificationWorkflowId } from '../../workflows/ids.js';
import { isRunning } from '../../starts/begin.js';
import type { Sweep } from '../beside.js';
import type { WorkerContext } from '../context.js';

/** Longer than a run takes that nothing hinders (D70). */
const olderThanSeconds = 60;
/** What left before the end is not known. */
const endedText = 'The run was ended from outside';

/** What the notification service looks for. */
export function notificationSweeps({ sql, temporal, logger }: WorkerContext): Sweep[] {
  /** Log entries of notifications whose run was ended from outside and so could not close them itself. */
  async function closeEnded(): Promise<void> {
    for (const { id, askedChannels } of await listOpenDeliveries(sql, olderThanSeconds)) {
      if (await isRunning(temporal, notificationWorkflowId(id))) continue;
      const channels = askedChannels.map((channel) => ({
        channel,
        status: 'failed' as const,
        error: endedText,
      }));
      await finishDelivery(sql, id, channels, 'failed');
      logger.warn({ logId: id }, 'closed the log entry of a notification whose run was ended from outside');
    }
  }

  return [closeEnded];
}
