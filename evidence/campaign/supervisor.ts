// What `npm start` is to a person, in a process of its own: `supervisor.ts <options as JSON>`. It ends with its campaign,
// whatever ends that, and leaves nothing behind where nobody is left to look into it.
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type StartOptions, startSystem } from '../../dev/start/system.js';

const options = JSON.parse(process.argv[2]!) as StartOptions;
const stopping = new AbortController();
for (const event of ['SIGTERM', 'disconnect'] as const) process.on(event, () => stopping.abort());
if (!process.connected) stopping.abort();
const stopped = once(stopping.signal, 'abort');
try {
  const system = await startSystem({ ...options, signal: stopping.signal });
  process.send?.({ ready: true });
  await stopped;
  await system.stop();
} finally {
  if (!process.connected) await rm(options.stateDir, { recursive: true, force: true });
}
process.exit(0);
