import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('deploy/certificates.sh gives a server no certificate that opens Temporal, and a client none to serve with', () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  const files = ['postgres', 'temporal', 'client', 'client-router'];
  execFileSync('sh', ['deploy/certificates.sh', folder, ...files.map((file) => `${file}=${file}`)], {
    stdio: 'ignore',
  });
  /** The purposes that openssl accepts the certificate for, like Temporal's and Postgres' peers. */
  const isFitFor = (file: string, purpose: string): boolean => {
    const authority = join(folder, 'ca.pem');
    const args = ['verify', '-CAfile', authority, '-purpose', purpose, join(folder, `${file}.pem`)];
    try {
      execFileSync('openssl', args, { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  expect(files.map((file) => [file, isFitFor(file, 'sslserver'), isFitFor(file, 'sslclient')])).toEqual([
    ['postgres', true, false],
    ['temporal', true, true],
    ['client', false, true],
    ['client-router', false, true],
  ]);
});
