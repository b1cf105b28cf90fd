import { numberEvents } from '../../db/orchestrator/events.js';
import { type Loop, startPasses } from '../beside.js';
import type { WorkerContext } from '../context.js';

/** Numbers the events of clients once they are committed (D129). */
export const startNumbering = ({ sql, logger }: WorkerContext): Loop =>
  startPasses(
    { sql, logger },
    {
      what: 'the numbering of events',
      channel: 'orchestrator_events',
      pass: async () => (await numberEvents(sql)).length,
    },
  );
