import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Replaces a file in one step, so that a kill never leaves half a file. */
export function writeFileAtomically(path: string, text: string, mode = 0o600): void {
  const partial = `${path}.${process.pid}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, text, { mode });
  renameSync(partial, path);
}
