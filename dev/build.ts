import { chmod, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { compile, productRooms } from './compile.js';
import { projectRoot } from './project-root.js';

/** `npm run build [-- <folder>]`: compiles the product to JavaScript in `dist`, or replaces that folder. */
const folder = resolve(process.argv[2] ?? join(projectRoot, 'dist'));
await rm(folder, { recursive: true, force: true });
try {
  await compile(productRooms, folder);
  await chmod(join(folder, 'cli/main.js'), 0o755);
} catch (error) {
  // A partial build would start and fail later.
  await rm(folder, { recursive: true, force: true });
  throw error;
}
