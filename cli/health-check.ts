import { get as getByHttp } from 'node:http';
import { get as getByTls } from 'node:https';
import { connect } from 'node:net';
import { serviceNames, servicePortOffsets } from '../platform/service-names.js';

const withinMs = 4_000;
/** Where the process listens. */
const host = /^(0\.0\.0\.0|::)?$/.test(process.env['HOST'] ?? '') ? '127.0.0.1' : process.env['HOST'];

/**
 * A health check for a container or an init system, run in the environment of the process. Every port of ours that
 * listens here must answer `/ready` with 2xx. A process that listens nowhere counts as ready: a useless one exits.
 */
async function main(): Promise<void> {
  const { env } = process;
  const base = Number(env['PORT_BASE'] ?? 4000);
  const isTls = env['TLS_CERT_PATH'] !== undefined;
  const ports = [
    ...(env['HEALTH_PORT'] ? [['health', Number(env['HEALTH_PORT']), false] as const] : []),
    ...serviceNames.map((name) => {
      const own = env[`${name.toUpperCase()}_PORT`];
      return [name, Number(own ?? base + servicePortOffsets[name]), isTls] as const;
    }),
  ];
  const answers = await Promise.all(
    ports.map(async ([name, port, isTls]) =>
      (await listens(port)) && !(await isReady(port, isTls)) ? [name] : [],
    ),
  );
  const notReady = answers.flat();
  if (notReady.length === 0) return;
  console.error(`Not ready: ${notReady.join(', ')}.`);
  process.exitCode = 1;
}

/** The certificate may name no address, and nobody else listens there. */
const isReady = (port: number, isTls: boolean): Promise<boolean> =>
  new Promise((resolve) => {
    const where = { host, port, path: '/ready', timeout: withinMs };
    const asked = isTls ? getByTls({ ...where, rejectUnauthorized: false }) : getByHttp(where);
    asked.once('response', (response) => {
      response.resume();
      const { statusCode = 500 } = response;
      resolve(statusCode >= 200 && statusCode < 300);
    });
    for (const event of ['error', 'timeout', 'close'] as const) asked.once(event, () => resolve(false));
  });

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: withinMs }, () => resolve(true));
    for (const event of ['error', 'timeout', 'close'] as const) socket.once(event, () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

await main();
