/**
 * `node --import ./dev/typescript.mjs main.ts` runs the sources as they are. The threads that workflows run in
 * load only JavaScript and are spared the compiler, which `--import tsx` would bring into each of them: 0.35 s of CPU
 * and ten MiB, eleven times over.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { register } = await import('tsx/esm/api');
  register();
}
