import { execFileSync } from 'node:child_process';
import { chmod, copyFile, cp, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { workflowBundle } from '../workers/bundle.js';
import { projectRoot } from './project-root.js';

/**
 * `npm run build [-- <folder>]`: what production runs, as JavaScript in `dist` or that folder, which is made anew.
 * Beside the compiler's output stand the files that the code reads at run time, and the workflows as one bundle.
 */
const folder = resolve(process.argv[2] ?? join(projectRoot, 'dist'));
await rm(folder, { recursive: true, force: true });
try {
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
  const project = join(projectRoot, 'tsconfig.build.json');
  execFileSync(process.execPath, [compiler, '-p', project, '--outDir', folder], { stdio: 'inherit' });
  const { include } = z
    .object({ include: z.array(z.string()) })
    .parse(JSON.parse(await readFile(project, 'utf8')));
  for (const room of include)
    await cp(join(projectRoot, room), join(folder, room), { recursive: true, filter: isReadAtRunTime });
  await copyFile(await workflowBundle(), join(folder, 'workers/workflow-bundle.js'));
  await chmod(join(folder, 'cli/main.js'), 0o755);
} catch (error) {
  // Half a build would start and fail later.
  await rm(folder, { recursive: true, force: true });
  throw error;
}

/** Migrations, pages, and the failure converter, which Temporal's SDK loads by its path. */
async function isReadAtRunTime(path: string): Promise<boolean> {
  return /\.(sql|html|cjs)$/.test(path) || (await stat(path)).isDirectory();
}
