import { connect } from 'node:net';
import { serviceNames, servicePortOffsets } from '../platform/service-names.js';

const withinMs = 4_000;

/**
 * What a container or an init system asks every few seconds, in the environment of the process it looks at: whatever of
 * ours listens here, the health port or an API, must say at `/ready` that it is ready. A process that listens nowhere is
 * well as long as it lives, since one of no use ends by itself.
 */
async function main(): Promise<void> {
  const { env } = process;
  const base = Number(env['PORT_BASE'] ?? 4000);
  const ports = [
    ...(env['HEALTH_PORT'] ? [['health', Number(env['HEALTH_PORT'])] as const] : []),
    ...serviceNames.map((name) => {
      const own = env[`${name.toUpperCase()}_PORT`];
      return [name, Number(own ?? base + servicePortOffsets[name])] as const;
    }),
  ];
  const answers = await Promise.all(
    ports.map(async ([name, port]) => ((await listens(port)) && !(await isReady(port)) ? [name] : [])),
  );
  const notReady = answers.flat();
  if (notReady.length === 0) return;
  console.error(`Not ready: ${notReady.join(', ')}.`);
  process.exitCode = 1;
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(withinMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: withinMs }, () => resolve(true));
    for (const event of ['error', 'timeout', 'close'] as const) socket.once(event, () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

await main();
