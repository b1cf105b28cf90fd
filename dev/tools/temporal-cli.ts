import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from '../progress.js';
import { downloadOfficial } from './official-download.js';
import { resolveTool } from './resolve.js';
import { run } from './run.js';

/** The newest release that builds from the Go module proxy. */
const version = '1.5.1';

/** The Temporal CLI with the development server and its Web UI. {@link resolveTool} describes order and errors. */
export const resolveTemporalCli = (progress: Progress): Promise<string> =>
  resolveTool(
    {
      label: 'Temporal CLI',
      file: 'temporal',
      version,
      variable: 'TEMPORAL_CLI_PATH',
      lookOnPath: true,
      ways: [
        { name: 'official download', getInto: (folder) => downloadOfficial('temporal', version, folder) },
        { name: 'building it with Go (some minutes)', getInto: buildWithGo },
      ],
      advice:
        'install the Temporal CLI so that `temporal` is on PATH, set TEMPORAL_CLI_PATH to one, or install Go 1.25 or newer to build it.',
    },
    progress,
  );

/** Changed flags would invalidate Go's build cache, and a rebuild takes minutes. */
async function buildWithGo(folder: string): Promise<void> {
  const module = await mkdtemp(join(tmpdir(), 'scriptrail-temporal-cli-'));
  const options = { cwd: module, env: { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'local' } };
  const source = 'github.com/temporalio/cli/cmd/temporal';
  try {
    await run('go', ['mod', 'init', 'scriptrail.local/temporal-cli'], options);
    await run('go', ['get', '-tool', `${source}@v${version}`], options);
    await run(
      'go',
      ['build', '-trimpath', '-ldflags', '-s -w', '-o', join(folder, 'temporal'), source],
      options,
    );
  } finally {
    await rm(module, { recursive: true, force: true });
  }
}
