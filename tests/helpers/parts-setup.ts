import { startTestSystem } from './system.js';

/** One system for all tests that do no harm to it. @returns what stops it and removes its state */
export async function startParts(): Promise<() => Promise<void>> {
  const { stateDir, stop } = await startTestSystem();
  process.env['SCRIPTRAIL_STATE_DIR'] = stateDir;
  return stop;
}
