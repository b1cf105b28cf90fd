import { finishDelivery, listOpenDeliveries } from '../../db/notification/deliveries.js';
import { notificationWorkflowId } from '../../workflows/ids.js';
import type { WorkerContext } from '../context.js';
import { isRunning } from '../../starts/begin.js';
import { sweepEvery } from '../sweep-every.js';

/** One query of a partial index, mostly empty. */
const sweepEveryMs = 10_000;
/** Longer than a run takes that nothing hinders (D70). */
const olderThanSeconds = 60;
/** What left before the end is not known. */
const endedText = 'The run was ended from outside';

/**
 * Closes the log entries of notifications whose run was ended from outside and so could not close them itself. Runs in
 * every notification worker; that two may look at the same entry does no harm.
 * @returns a function that stops it
 */
export function sweepNotifications({ sql, temporal, logger }: WorkerContext): () => Promise<void> {
  return sweepEvery({ everyMs: sweepEveryMs, what: 'notifications', logger }, sweep);

  async function sweep(): Promise<void> {
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
}
