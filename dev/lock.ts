import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { identify, isAlive, processIdentitySchema, type ProcessIdentity } from './process-identity.js';

export type LockResult = { taken: true; release: () => void } | { taken: false; holder: ProcessIdentity };

/**
 * Takes a lock file for this process, or returns the living process that holds it. It replaces the lock of a process
 * that died; pid and start time must both match, so a reused pid does not keep the lock.
 */
export function takeLock(path: string): LockResult {
  const self = identify(process.pid);
  if (self === undefined) throw new Error('This process cannot read its own start time');
  const claim = `${path}.${process.pid}`;
  writeFileSync(claim, JSON.stringify(self));
  try {
    for (;;) {
      if (linkUnlessPresent(claim, path))
        return { taken: true, release: () => rmSync(path, { force: true }) };
      const holder = readHolder(path);
      if (holder !== undefined && isAlive(holder)) return { taken: false, holder };
      removeStale(path, `${claim}.stale`);
    }
  } finally {
    rmSync(claim, { force: true });
  }
}

/** A hard link appears with its content and fails if the name is taken, so the lock is never empty. */
function linkUnlessPresent(claim: string, path: string): boolean {
  try {
    linkSync(claim, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Two processes may find the same dead holder. The one that moved a live lock puts it back. */
function removeStale(path: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved !== undefined && isAlive(moved)) linkUnlessPresent(aside, path);
  rmSync(aside, { force: true });
}

function readHolder(path: string): ProcessIdentity | undefined {
  try {
    return processIdentitySchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
