import { access, constants, mkdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { takeLock } from '../lock.js';
import type { Progress } from '../progress.js';

/** A program that a development system needs and npm does not install. */
export interface Tool {
  /** The name in messages. */
  label: string;
  file: string;
  version: string;
  /** The environment variable that names the executable. */
  variable: string;
  lookOnPath: boolean;
  /** Tried in order until one succeeds. */
  ways: readonly Way[];
  /** Advice for the case that every way failed. */
  advice: string;
}

interface Way {
  /** Continues the sentence "Getting the <label>: ". */
  name: string;
  /** Puts the executable into `folder`, or throws a one-line reason. */
  getInto: (folder: string) => Promise<void>;
}

/**
 * Finds a tool in its variable, on PATH or in the user's cache, else gets it into the cache.
 * @returns the path of an executable
 * @throws Error that lists why each way failed and what to do
 */
export async function resolveTool(tool: Tool, progress: Progress): Promise<string> {
  const given = process.env[tool.variable];
  if (given !== undefined && given !== '') {
    if (await isExecutable(given)) return given;
    throw new Error(`${tool.variable} is set to ${given}, which is not an executable file.`);
  }
  const installed = tool.lookOnPath ? await findOnPath(tool.file) : undefined;
  if (installed !== undefined) return installed;

  const folder = join(cacheFolder(), `${tool.file}-${tool.version}`);
  const cached = join(folder, tool.file);
  if (await isExecutable(cached)) return cached;
  await mkdir(cacheFolder(), { recursive: true });
  const release = await waitForLock(`${folder}.lock`, tool, progress);
  try {
    // Another start may have finished while this one waited.
    if (!(await isExecutable(cached))) await get(tool, folder, progress);
    return cached;
  } finally {
    release();
  }
}

async function get(tool: Tool, folder: string, progress: Progress): Promise<void> {
  const partial = `${folder}.partial`;
  const reasons: string[] = [];
  for (const way of tool.ways) {
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial);
    const name = `Getting the ${tool.label} ${tool.version}: ${way.name}`;
    try {
      await progress.during(name, () => way.getInto(partial));
      await rm(folder, { recursive: true, force: true });
      await rename(partial, folder);
      return;
    } catch (error) {
      reasons.push(`${way.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  await rm(partial, { recursive: true, force: true });
  throw new Error(`No ${tool.label} to be had (${reasons.join('; ')}): ${tool.advice}`);
}

/** Keeps concurrent starts from building the same tool. */
async function waitForLock(path: string, tool: Tool, progress: Progress): Promise<() => void> {
  const first = takeLock(path);
  if (first.taken) return first.release;
  return progress.during(`Another start is getting the ${tool.label}`, async () => {
    for (;;) {
      await pause(200);
      const again = takeLock(path);
      if (again.taken) return again.release;
    }
  });
}

function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'];
  return join(base === undefined || base === '' ? join(homedir(), '.cache') : base, 'scriptrail');
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

export async function findOnPath(file: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    if (await isExecutable(join(folder, file))) return join(folder, file);
  }
  return undefined;
}
