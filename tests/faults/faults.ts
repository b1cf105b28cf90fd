import type { DevJson } from '../../dev/dev-json.js';
import { eventually, sandbox } from '../helpers/client.js';

/** The fault of an external service (sandbox/README.md, Control). */
export interface Fault {
  target: string;
  operation?: string;
  kind: 'status' | 'delay' | 'drop' | 'lost-answer' | 'hang' | 'hold';
  status?: number;
  delayMs?: number;
  retryAfterSeconds?: number;
  /** For ever when absent. */
  times?: number;
  /** Only of calls that have this text in their path or body. */
  about?: string;
}

export const setFault = (dev: DevJson, fault: Fault) =>
  sandbox(dev, '/faults', { method: 'POST', body: fault });

export const clearFaults = (dev: DevJson) => sandbox(dev, '/faults', { method: 'DELETE' });

/** Waits until every fault with `times` has met its calls: then the caller is in the middle of one. */
export const faultsMet = (dev: DevJson) =>
  eventually(async () => {
    const { faults } = await sandbox<{ faults: Fault[] }>(dev, '/faults');
    return faults.every(({ times }) => times === undefined);
  });
