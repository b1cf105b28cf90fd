import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '../progress.js';
import { resolveTool } from './resolve.js';
import { run } from './run.js';

/** The version in docker-compose.yml. */
const version = '1.32.1';

/**
 * The Temporal server of a cluster and its schema tool, built from the Go module proxy because releases are images
 * only.
 */
export async function resolveTemporalServer(
  progress: Progress,
): Promise<{ server: string; sqlTool: string }> {
  const [sqlTool, server] = [
    await resolve('temporal-sql-tool', 'tools/sql', 'TEMPORAL_SQL_TOOL_PATH', progress),
    await resolve('temporal-server', 'server', 'TEMPORAL_SERVER_PATH', progress),
  ];
  return { server, sqlTool };
}

const resolve = (file: string, command: string, variable: string, progress: Progress): Promise<string> =>
  resolveTool(
    {
      label: file,
      file,
      version,
      variable,
      lookOnPath: true,
      ways: [
        { name: 'building it with Go (some minutes)', getInto: (folder) => build(file, command, folder) },
      ],
      advice: `set ${variable} to one, or install Go 1.26 or newer to build it.`,
    },
    progress,
  );

async function build(file: string, command: string, folder: string): Promise<void> {
  const module = await mkdtemp(join(tmpdir(), 'scriptrail-temporal-server-'));
  const options = { cwd: module, env: { ...process.env, GOTOOLCHAIN: 'local' } };
  const source = `go.temporal.io/server/cmd/${command}`;
  try {
    await run('go', ['mod', 'init', 'scriptrail.local/temporal-server'], options);
    await run('go', ['get', '-tool', `${source}@v${version}`], options);
    await run('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', join(folder, file), source], options);
  } finally {
    await rm(module, { recursive: true, force: true });
  }
}
