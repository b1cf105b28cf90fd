import { listDueSyncs } from '../../db/bridge/sync-attempts.js';
import { recheckSync } from '../../starts/bridge.js';
import type { Sweep } from '../beside.js';
import type { WorkerContext } from '../context.js';
import { stalledEvents } from '../publishing.js';

/** Nothing that is well is that late: an attempt takes at most 25 s. */
const overdueSeconds = 30;
const maxNudges = 500;

/** What the bridge looks for: a committed row that needs a run is found again. */
export function bridgeSweeps(context: WorkerContext): Sweep[] {
  const { sql, temporal } = context;

  /** Sync attempts whose run was ended from outside, or never started. */
  async function nudgeDueSyncs(): Promise<void> {
    for (const id of await listDueSyncs(sql, { overdueSeconds, limit: maxNudges }))
      await recheckSync(temporal, id);
  }

  return [nudgeDueSyncs, stalledEvents(context, 'bridge')];
}
