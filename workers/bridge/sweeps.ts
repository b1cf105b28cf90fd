import { listDueSyncs } from '../../db/bridge/sync-attempts.js';
import { recheckSync } from '../../starts/bridge.js';
import type { Sweep } from '../beside.js';
import type { WorkerContext } from '../context.js';
import { stalledEvents } from '../publishing.js';

/** An attempt takes at most 25 s, so a row this late has lost its workflow. */
const overdueSeconds = 30;
const maxPerSweep = 500;

/** The sweeps of the EMR bridge. */
export function bridgeSweeps(context: WorkerContext): Sweep[] {
  const { sql, temporal } = context;

  /** Sync attempts whose workflow was terminated or never started. */
  async function resumeDueSyncs(): Promise<void> {
    for (const id of await listDueSyncs(sql, { overdueSeconds, limit: maxPerSweep }))
      await recheckSync(temporal, id);
  }

  return [resumeDueSyncs, stalledEvents(context, 'bridge')];
}
