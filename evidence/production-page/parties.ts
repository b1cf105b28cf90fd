import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { compiledSources } from '../../dev/compile.js';
import { inheritedEnvironment } from '../../dev/start/environment.js';

/** The sandbox path of each external service in deploy/production.env; two have their own names. */
const places: Record<string, string> = {
  'emr.example.org': '',
  'shipping.example.org': '',
  'pharmacy-a.example.org': '/pharmacy-a',
  'test.pharmacy-a.example.org': '/pharmacy-a/test',
  'pharmacy-b.example.org': '/pharmacy-b',
  'test.pharmacy-b.example.org': '/pharmacy-b/test',
  'login.example.org': '/idp',
  'api.stripe.com': '',
  'api.twilio.com': '/twilio',
};
const mail = 'mail.example.org';
export const partyNames = [...Object.keys(places), mail];

/**
 * Serves the external services by their names in deploy/production.env: the sandbox behind HTTPS, and a mail server
 * with TLS and a login.
 * @param certificate files of a certificate for all names
 */
export async function openParties({
  host,
  folder,
  certificate,
  secrets,
  services,
}: {
  host: string;
  folder: string;
  certificate: { key: string; cert: string };
  secrets: Record<string, string>;
  /** The machine of the services, which receives webhooks. */
  services: string;
}): Promise<{ url: string; close: () => void }> {
  const [port, smtpPort] = [4100, 4125];
  const sandbox = fork(join(await compiledSources(), 'sandbox/main.js'), [], {
    execArgv: [],
    env: {
      ...inheritedEnvironment(),
      HOST: host,
      SANDBOX_PORT: String(port),
      SANDBOX_SMTP_PORT: String(smtpPort),
      SANDBOX_DATA_DIR: join(folder, 'sandbox'),
      SANDBOX_ROUTER_URL: `http://${services}:4001`,
      SANDBOX_ORCHESTRATOR_URL: `http://${services}:4002`,
      SANDBOX_BRIDGE_URL: `http://${services}:4008`,
      SANDBOX_IDP_ISSUER: 'https://login.example.org/',
      ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [`SANDBOX_${name}`, value])),
      // The sandbox takes a live key for its test key.
      SANDBOX_STRIPE_SECRET_KEY: (secrets['STRIPE_SECRET_KEY'] ?? '').replace('sk_live_', 'sk_test_'),
    },
  });
  await Promise.race([
    once(sandbox, 'message'),
    once(sandbox, 'exit').then(() => Promise.reject(new Error('the sandbox did not start'))),
  ]);

  const tls = { key: readFileSync(certificate.key), cert: readFileSync(certificate.cert) };
  const front = createServer(tls, (asked, answer) => {
    const place = places[asked.headers.host ?? ''];
    if (place === undefined) return void answer.writeHead(421).end();
    const path = `${place}${(asked.url ?? '/').replace('/.well-known', '')}`;
    const behind = request({ host, port, method: asked.method, path, headers: asked.headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    for (const one of [behind, asked]) one.on('error', () => answer.destroy());
    asked.pipe(behind);
  });
  front.on('tlsClientError', () => undefined);
  await once(front.listen(443, host), 'listening');

  const behind = createTransport({ host, port: smtpPort, ignoreTLS: true });
  const mailServer = new SMTPServer({
    ...tls,
    onAuth: ({ username, password }, _session, done) =>
      username === 'scriptrail' && password === secrets['SMTP_PASSWORD']
        ? done(null, { user: username })
        : done(new Error('not this login')),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address }) => address);
        behind.sendMail({ envelope: { from, to }, raw: Buffer.concat(chunks) }).then(
          () => done(),
          (error: unknown) => done(error instanceof Error ? error : new Error('not taken')),
        );
      });
    },
  });
  mailServer.on('error', () => undefined);
  await once(mailServer.listen(587, host), 'listening');
  return {
    url: `http://${host}:${port}`,
    close: () => {
      front.close();
      mailServer.close(() => undefined);
      sandbox.kill('SIGTERM');
    },
  };
}
