import { listDueSyncs } from '../../db/bridge/sync-attempts.js';
import { recheckSync } from '../../starts/bridge.js';
import { overdue, type Sweep, type WorkerContext } from '../context.js';
import { stalledEvents } from '../publishing.js';

export function bridgeSweeps(context: WorkerContext): Sweep[] {
  const { sql, temporal } = context;

  /** Sync attempts whose workflow was terminated or never started. */
  async function resumeDueSyncs(): Promise<void> {
    for (const id of await listDueSyncs(sql, overdue)) await recheckSync(temporal, id);
  }

  return [resumeDueSyncs, stalledEvents(context, 'bridge')];
}
