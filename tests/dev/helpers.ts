import { afterAll } from '@jest/globals';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** An empty folder that is gone after the file's last test. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptrail-cli-test-'));
  folders.push(folder);
  return folder;
}

/** A shell script that stands in for a tool. */
export async function fakeTool(folder: string, name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

/** Asks until the answer is neither undefined nor false; fails after the limit with the name of what never came. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  limitMs = 180_000,
): Promise<NonNullable<T>> {
  const deadlineMs = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (Date.now() > deadlineMs) throw new Error(`never happened: ${what}`);
    await pause(20);
  }
}

export const messageOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it did not fail',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
