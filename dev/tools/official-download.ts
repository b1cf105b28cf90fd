import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../project-root.js';
import { lastLine } from './run.js';

export type OfficialTool = 'temporal' | 'temporal-test-server';

/** The child loads for about 1.5 s before its first request. A blocked network must not delay a start longer. */
const firstByteMs = 4_500;
const stallMs = 30_000;

/**
 * Downloads an official release with the Temporal SDK. The SDK has no timeout, so it runs in a child that this ends
 * if nothing arrives.
 */
export async function downloadOfficial(tool: OfficialTool, version: string, folder: string): Promise<void> {
  const landing = await mkdtemp(join(folder, 'download-'));
  const script = fileURLToPath(new URL('official-download-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, tool, version, landing], {
    cwd: projectRoot,
    env: process.env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const endChild = () => endGroup(child.pid);
  process.once('exit', endChild);
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  try {
    const downloaded = await waitForFile(
      landing,
      () => child.exitCode !== null || child.signalCode !== null,
      () => lastLine(complaint) || 'it failed without a reason',
    );
    await chmod(downloaded, 0o755);
    await rename(downloaded, join(folder, tool));
  } finally {
    endChild();
    process.off('exit', endChild);
    await rm(landing, { recursive: true, force: true });
  }
}

/** The downloader writes `<name>.downloading` and renames it at the end. */
async function waitForFile(landing: string, ended: () => boolean, reason: () => string): Promise<string> {
  let progress = { bytes: -1, atMs: Date.now() };
  for (;;) {
    const childEnded = ended();
    const [file] = await readdir(landing);
    if (file !== undefined && !file.endsWith('.downloading')) return join(landing, file);
    if (childEnded) throw new Error(reason());
    const bytes = file === undefined ? -1 : await sizeOf(join(landing, file));
    if (bytes !== progress.bytes) progress = { bytes, atMs: Date.now() };
    if (Date.now() - progress.atMs > (file === undefined ? firstByteMs : stallMs))
      throw new Error('nothing arrives');
    await pause(100);
  }
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => -1,
  );

/** After the download, the SDK starts the server, so this kills the whole group. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {}
}
