import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from './project-root.js';

/** Generated types, which no build includes. */
export const typesOfPages = 'clients/typescript/src/pages';

/** Folders that production runs. */
export const productRooms = [
  'main.ts',
  'domain',
  'health',
  'workflows',
  'starts',
  'activities',
  'api',
  'workers',
  'db',
  'integrations',
  'platform',
  'cli',
  'clients/typescript/src',
];
/** Folders that a development system runs as well. */
export const developmentRooms = ['sandbox', 'dev'];

/**
 * Compiles the rooms to JavaScript, copies the files that the code reads at run time, and bundles the workflows. It
 * does not check types.
 */
export async function compile(rooms: readonly string[], folder: string): Promise<void> {
  // Loading both is slow, and most callers find the sources compiled.
  const [{ transform }, { workflowBundle }] = await Promise.all([
    import('@swc/core'),
    import('../workers/bundle.js'),
  ]);
  const bundle = workflowBundle();
  await Promise.all(
    (await filesOf(rooms)).map(async (file) => {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      if (!file.endsWith('.ts')) return copyFile(join(projectRoot, file), join(folder, file));
      const { code, map } = await transform(await readFile(join(projectRoot, file), 'utf8'), {
        filename: join(projectRoot, file),
        // Relative, so that builds of the same sources are equal wherever they are made.
        sourceFileName: relative(dirname(join(folder, file)), join(projectRoot, file)),
        swcrc: false,
        sourceMaps: true,
        module: { type: 'es6' },
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      });
      const script = file.replace(/ts$/, 'js');
      const mapName = `${script.slice(script.lastIndexOf('/') + 1)}.map`;
      await writeFile(join(folder, script), `${code}//# sourceMappingURL=${mapName}\n`);
      await writeFile(join(folder, `${script}.map`), map ?? '');
    }),
  );
  await copyFile(await bundle, join(folder, 'workers/workflow-bundle.js'));
}

/**
 * Compiles the sources once for each state of them, for `npm start` and the tests. A process that compiles for itself
 * needs two more seconds of CPU to start.
 * @returns the folder
 */
export async function compiledSources(): Promise<string> {
  const rooms = [...productRooms, ...developmentRooms];
  const cache = join(projectRoot, 'node_modules/.cache/scriptrail');
  const folder = join(cache, `sources-${await fingerprint(rooms)}`);
  if (await stat(folder).catch(() => undefined)) return folder;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}.`);
  await compile(rooms, unfinished);
  // Below node_modules, the package.json of the checkout does not set the module type.
  await writeFile(join(unfinished, 'package.json'), '{"type":"module"}\n');
  try {
    await rename(unfinished, folder);
  } catch (error) {
    // Another process has compiled the same sources.
    await rm(unfinished, { recursive: true });
    if (!(await stat(folder).catch(() => undefined))) throw error;
  }
  return folder;
}

async function filesOf(rooms: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const room of rooms) {
    if (room.endsWith('.ts')) files.push(room);
    else
      for (const entry of await readdir(join(projectRoot, room), { recursive: true, withFileTypes: true }))
        if (entry.isFile() && /(?<!\.d)\.(ts|js|sql|html|css|cjs|json)$/.test(entry.name))
          files.push(join(entry.parentPath, entry.name).slice(projectRoot.length));
  }
  return files.filter((file) => !file.startsWith(`${typesOfPages}/`)).sort();
}

/** Hashes the sources in the rooms and the lockfile. */
export async function fingerprint(rooms: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of [...(await filesOf(rooms)), 'package-lock.json'])
    hash.update(file).update(await readFile(join(projectRoot, file)));
  return hash.digest('hex').slice(0, 16);
}
