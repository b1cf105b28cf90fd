import { finishDelivery, listOpenDeliveries } from '../../db/notification/deliveries.js';
import { notificationWorkflowId } from '../../workflows/ids.js';
import { isRunning } from '../../starts/runs.js';
import { send } from '../../starts/notification.js';
import type { Sweep } from '../beside.js';
import type { WorkerContext } from '../context.js';

/** Longer than a run takes that nothing hinders (D70), and than a first try does. */
const open = { runSeconds: 60, firstTrySeconds: 15 };
/** What left before the end is not known. */
const endedText = 'The run was ended from outside';

/** What the notification service looks for. */
export function notificationSweeps({ sql, temporal, logger }: WorkerContext): Sweep[] {
  /**
   * Notifications whose first try was lost with its process, which a run takes over (D113), and log entries of those whose
   * run was ended from outside and so could not close them itself.
   */
  async function seeToOpen(): Promise<void> {
    for (const { id, askedChannels, firstTry } of await listOpenDeliveries(sql, open)) {
      if (await isRunning(temporal, notificationWorkflowId(id))) continue;
      if (firstTry) {
        await send(temporal, { ...firstTry, takesOver: [] }, 0);
        logger.warn({ logId: id }, 'started the run of a notification whose first try was lost');
        continue;
      }
      const channels = askedChannels.map((channel) => ({
        channel,
        status: 'failed' as const,
        error: endedText,
      }));
      await finishDelivery(sql, id, channels, 'failed');
      logger.warn({ logId: id }, 'closed the log entry of a notification whose run was ended from outside');
    }
  }

  return [seeToOpen];
}
