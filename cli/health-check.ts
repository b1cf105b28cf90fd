import { connect } from 'node:net';
import { serviceNames, servicePortOffsets } from '../platform/service-names.js';

const withinMs = 4_000;

/**
 * What a container or an init system asks every few seconds, in the environment of the process it looks at: whatever of
 * ours listens on this machine's own address must say at `/ready` that it is ready. A process of workers listens nowhere; one that
 * is of no use ends by itself.
 */
async function main(): Promise<void> {
  const base = Number(process.env['PORT_BASE'] ?? 4000);
  const answers = await Promise.all(
    serviceNames.map(async (name) => {
      const port = Number(process.env[`${name.toUpperCase()}_PORT`] ?? base + servicePortOffsets[name]);
      if (!(await listens(port))) return [];
      const isReady = await fetch(`http://127.0.0.1:${port}/ready`, {
        signal: AbortSignal.timeout(withinMs),
      }).then(
        ({ ok }) => ok,
        () => false,
      );
      return isReady ? [] : [name];
    }),
  );
  const notReady = answers.flat();
  if (notReady.length === 0) return;
  console.error(`Not ready: ${notReady.join(', ')}.`);
  process.exitCode = 1;
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: withinMs }, () => resolve(true));
    for (const event of ['error', 'timeout', 'close'] as const) socket.once(event, () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

await main();
