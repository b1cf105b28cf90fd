import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, test } from '@jest/globals';
import { startSandbox } from '../../../../sandbox/app.js';
import { readConfig } from '../../../../sandbox/config.js';
import { call, freshSettings, useSandbox } from '../../helpers.js';

const sandbox = useSandbox();

const authorityIn = (dataDir: string) => readFileSync(join(dataDir, 'tls-ca.pem'), 'utf8');
const tell = (hostname: string, state: string) =>
  sandbox.call('/_sandbox/tls', { json: { hostname, state } });

/** The names on the certificate that a careful caller accepted. @throws the error that ended the handshake */
function dial(servername: string, { port = sandbox.tlsPort(), ca = '' } = {}): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const trusted = ca || authorityIn(sandbox.config().SANDBOX_DATA_DIR);
    const socket = connect({ host: '127.0.0.1', port, servername, ca: trusted }, () => {
      resolve(socket.getPeerCertificate().subjectaltname);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

test('who does not have its authority does not trust it', async () => {
  await tell('portal.clinic.test', 'valid');
  const elsewhere = readConfig(await freshSettings());
  const stranger = await startSandbox(elsewhere);
  try {
    const ca = authorityIn(elsewhere.SANDBOX_DATA_DIR);
    await expect(dial('portal.clinic.test', { ca })).rejects.toThrow(/certificate/);
  } finally {
    await stranger.close();
  }
});

test('every handshake is on record, and a fault cuts it', async () => {
  await tell('portal.clinic.test', 'valid');
  await sandbox.setFault({ target: 'tls', kind: 'drop', times: 1 });
  await expect(dial('portal.clinic.test')).rejects.toMatchObject({ code: 'ECONNRESET' });
  await dial('portal.clinic.test');
  expect((await sandbox.requests('tls')).slice(0, 2)).toMatchObject([
    { operation: 'handshake', path: 'portal.clinic.test', status: 200, responseBody: { state: 'valid' } },
    { status: null, fault: 'drop' },
  ]);
});

test('the authority and the hosts outlive a restart', async () => {
  const config = readConfig(await freshSettings());
  const first = await startSandbox(config);
  const host = { hostname: 'kept.clinic.test', state: 'valid' };
  await call(`${first.url}/_sandbox/tls`, { json: host });
  const ca = authorityIn(config.SANDBOX_DATA_DIR);
  await first.close();
  const second = await startSandbox(config);
  try {
    expect((await call(`${second.url}/_sandbox/tls`)).body).toEqual({ hosts: [host] });
    expect(await dial(host.hostname, { port: second.ports['tls'] ?? 0, ca })).toBe('DNS:kept.clinic.test');
  } finally {
    await second.close();
  }
});
