import { numberEvents } from '../../db/orchestrator/events.js';
import { type Loop, startTicks } from '../beside.js';
import type { WorkerContext } from '../context.js';

/** Well within the second in which a reader expects an event, and one pass for many approvals. */
const everyMs = 250;

/** Numbers the events of clients once they are committed (D129). */
export const startNumbering = ({ sql, logger }: WorkerContext): Loop =>
  startTicks({ logger }, { what: 'the numbering of events', everyMs, pass: () => numberEvents(sql) });
