import { finishDelivery, listOpenDeliveries } from '../../db/notification/deliveries.js';
import { notificationWorkflowId } from '../../workflows/ids.js';
import { isRunning } from '../../starts/runs.js';
import { send } from '../../starts/notification.js';
import type { Sweep, WorkerContext } from '../context.js';
import { eachRow } from '../each-row.js';

/** Longer than an undisturbed run (D70) or a first attempt takes. */
const open = { runSeconds: 60, firstTrySeconds: 15 };
const endedText = 'The run was terminated';

export function notificationSweeps({ sql, temporal, logger }: WorkerContext): Sweep[] {
  /**
   * Starts the workflow of a notification whose first attempt was lost with its process (D113). Closes log entries of
   * terminated workflows.
   */
  async function resumeOpenNotifications(): Promise<void> {
    await eachRow(await listOpenDeliveries(sql, open), async ({ id, askedChannels, firstTry }) => {
      if (await isRunning(temporal, notificationWorkflowId(id))) return;
      if (firstTry) {
        await send(temporal, { ...firstTry, takesOver: [] }, 0);
        logger.warn({ logId: id }, 'started the workflow of a notification whose first attempt was lost');
        return;
      }
      const channels = askedChannels.map((channel) => ({
        channel,
        status: 'failed' as const,
        error: endedText,
      }));
      await finishDelivery(sql, id, channels, 'failed');
      logger.warn({ logId: id }, 'closed the log entry of a notification whose workflow was terminated');
    });
  }

  return [resumeOpenNotifications];
}
