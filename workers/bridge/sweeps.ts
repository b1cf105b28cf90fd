import { listDueSyncs } from '../../db/bridge/sync-attempts.js';
import { recheckSync } from '../../starts/bridge.js';
import { overdue, type Sweep, type WorkerContext } from '../context.js';
import { eachRow } from '../each-row.js';
import { stalledEvents } from '../publishing.js';

export function bridgeSweeps(context: WorkerContext): Sweep[] {
  const { sql, temporal } = context;

  /** Sync attempts whose workflow was terminated or never started. */
  async function resumeDueSyncs(): Promise<void> {
    await eachRow(await listDueSyncs(sql, overdue), (id) => recheckSync(temporal, id));
  }

  return [resumeDueSyncs, stalledEvents(context, 'bridge')];
}
