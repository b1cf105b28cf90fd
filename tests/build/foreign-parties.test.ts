import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inheritedEnvironment } from '../../dev/start/environment.js';
import { freePorts } from '../../dev/start/ports.js';
import { loadSecrets } from '../../dev/start/secrets.js';

// Parties of somebody else's, as `npm start` sees them: at other addresses than the sandbox's. Behind each is the
// sandbox's own part all the same, so that an approval can be completed.
const opened: Server[] = [];
let stateDir: string;
let ports: Awaited<ReturnType<typeof freePorts>>;

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'scriptrail-parties-'));
  // Postgres gives up root's rights and must still be able to walk in here.
  await chmod(stateDir, 0o755);
  ports = await freePorts('127.0.0.1');
});
afterAll(async () => {
  for (const server of opened) server.close();
  await rm(stateDir, { recursive: true, force: true });
});

async function listening(server: Server): Promise<number> {
  opened.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** An HTTP party under another origin: it counts what it is asked, with the credentials it is shown. */
async function foreign(path: string) {
  const shown: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    shown.push(request.headers.authorization);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
      fetch(`http://127.0.0.1:${ports.sandbox}${path}${request.url ?? ''}`, {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        ...body,
      })
        .then(async (answer) => {
          const type = answer.headers.get('content-type') ?? 'application/json';
          const location = answer.headers.get('location');
          response.writeHead(answer.status, {
            'content-type': type,
            ...(location === null ? {} : { location }),
          });
          response.end(Buffer.from(await answer.arrayBuffer()));
        })
        .catch(() => response.destroy());
    });
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, shown };
}

test('npm start takes the addresses of outside parties from the environment in place of the sandbox’s', async () => {
  const secrets = loadSecrets(stateDir);
  const [emr, stripe] = await Promise.all([foreign('/fhir/R4'), foreign('/stripe')]);
  let mails = 0;
  const mailServer = createTcpServer((caller) => {
    mails += 1;
    const behind = connect(ports.smtp, '127.0.0.1');
    caller.pipe(behind).pipe(caller);
    for (const socket of [caller, behind])
      socket.on('error', () => [caller, behind].map((one) => one.destroy()));
  });
  const env = {
    ...inheritedEnvironment(),
    PORT_BASE: String(ports.base),
    TEMPORAL_PORT: String(ports.temporal),
    TEMPORAL_UI_PORT: String(ports.temporalUi),
    EMR_BASE_URL: emr.url,
    EMR_TOKEN: secrets.emrToken,
    STRIPE_API_BASE: stripe.url,
    STRIPE_SECRET_KEY: secrets.stripeSecretKey,
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(await listening(mailServer)),
    // Without an address beside it: nobody's.
    SHIPPING_API_KEY: 'lies about in the shell',
  };
  const start = ['start', '--', '--state', stateDir, '--once-ready', 'npm run --silent rx -- approve'];
  const { stdout } = await promisify(execFile)('npm', start, { env });
  expect(stdout).toMatch(/\n200\n[^]*"completedSteps"[^]*"notification"[^]*"warnings": \[\]/);
  expect(emr.shown.length).toBeGreaterThan(0);
  expect(new Set(emr.shown)).toEqual(new Set([`Bearer ${secrets.emrToken}`]));
  expect(stripe.shown.length).toBeGreaterThan(0);
  expect(mails).toBeGreaterThan(0);
});
