import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { expect, test } from '@jest/globals';
import { messageWithAdvice } from '../../platform/certificate-advice.js';
import { openAuthority } from '../../sandbox/parties/tls/authority.js';

test('who meets a certificate of an authority that is not known is told of NODE_EXTRA_CA_CERTS, and of other failures what they say', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptrail-authority-'));
  const authority = await openAuthority(join(folder, 'ca.key'), join(folder, 'ca.pem'));
  const server = createServer(await authority.issue('db.example.org', 'valid'));
  server.on('tlsClientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const caller = connect({ port, host: '127.0.0.1', servername: 'db.example.org' });
  const [error] = (await once(caller, 'error')) as [Error];
  expect(messageWithAdvice(error)).toMatch(/certificate: set NODE_EXTRA_CA_CERTS to the file/);
  expect(messageWithAdvice(new Error('something else'))).toBe('something else');
  server.close();
  rmSync(folder, { recursive: true });
});
