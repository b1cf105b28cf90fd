import { withoutPromiseTraces, startTestSystem } from './system.js';

/**
 * One system for all tests that do no harm to it: the one whose state is in `PARTS_STATE_DIR`, where that names one.
 * @returns what stops it and removes its state
 */
export async function startParts(): Promise<() => Promise<void>> {
  const given = process.env['PARTS_STATE_DIR'];
  const { stateDir, stop } = given
    ? { stateDir: given, stop: () => Promise.resolve() }
    : await startTestSystem({ env: withoutPromiseTraces });
  process.env['SCRIPTRAIL_STATE_DIR'] = stateDir;
  return stop;
}
