// Runs a system as `npm start` does, in its own process: `supervisor.ts <options as JSON>`. It exits with its
// campaign for any reason, and removes its state unless the state is needed.
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
