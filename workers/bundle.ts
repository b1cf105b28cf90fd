import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { failureConverterPath } from '../platform/temporal/data-converter.js';

/** Stands beside this file in a build only (`dev/build.ts`). */
const prebuilt = fileURLToPath(new URL('workflow-bundle.js', import.meta.url));
const root = new URL('../', import.meta.url);
const sources = [
  'workflows/',
  'domain/',
  'platform/temporal/failure-converter.cjs',
  'workers/bundle.ts',
  'package-lock.json',
];

/**
 * The workflows of all queues as one file: that of the build, or in development one made once per state of the
 * sources, so that the same code is not bundled again at the next start.
 * @returns the file's path
 */
export async function workflowBundle(): Promise<string> {
  if (existsSync(prebuilt)) return prebuilt;
  const folder = new URL('node_modules/.cache/scriptrail/', root);
  const file = fileURLToPath(new URL(`workflows-${await fingerprint()}.js`, folder));
  if (await stat(file).catch(() => undefined)) return file;
  const code = await bundleWorkflows(fileURLToPath(new URL('workflows/bundle.ts', root)));
  await mkdir(folder, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, code);
  await rename(unfinished, file);
  return file;
}

/** @param workflowsPath the module that exports them @returns the bundle's text */
export async function bundleWorkflows(workflowsPath: string): Promise<string> {
  const interceptors = fileURLToPath(new URL('workflows/interceptors.ts', root));
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [interceptors],
    // Loaded once for each thread and not for each run: none of them keeps anything of a run.
    preloadModules: [workflowsPath, interceptors],
    failureConverterPath,
    // Stack traces name file and line. The sources would lie in the memory of each worker's thread.
    webpackConfigHook: (config) => ({ ...config, devtool: 'inline-nosources-source-map' }),
    logger: new DefaultLogger('ERROR'),
  });
  return code;
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    const files = source.endsWith('/') ? await readdir(new URL(source, root), { recursive: true }) : [''];
    for (const file of files.sort()) {
      const path = new URL(source + file, root);
      if ((await stat(path)).isFile()) hash.update(file).update(await readFile(path));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
