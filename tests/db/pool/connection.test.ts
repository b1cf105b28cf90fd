import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSql, type Sql } from '../../../db/client.js';
import { createPool } from '../../../db/pool/pool.js';
import { openAuthority } from '../../../sandbox/parties/tls/authority.js';
import { startPostgresTls } from '../../build/fronts.js';
import { startPostgres } from '../../faults/connections/endings.js';

let server: Awaited<ReturnType<typeof startPostgres>>;
let owner: Sql;
let folder: string;
beforeAll(async () => {
  server = await startPostgres();
  owner = createSql(server.url(), { applicationName: 'owner', max: 1 });
  folder = await mkdtemp(join(tmpdir(), 'scriptrail-tls-'));
});
afterAll(async () => {
  await owner.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Connects while the server has a certificate for this name. @returns whether TLS is on, or the code of the error */
async function connectTo(
  host: string,
  { certificateFor, sslmode }: { certificateFor: string; sslmode?: string },
) {
  const authorityFile = join(folder, 'ca.pem');
  const authority = await openAuthority(join(folder, 'ca-key.pem'), authorityFile);
  const stopTls = await startPostgresTls(
    owner,
    server.dataDir,
    await authority.issue(certificateFor, 'valid'),
  );
  const verified = { ssl: { ca: await readFile(authorityFile, 'utf8') } };
  const sql = createPool(`${server.url(host)}${sslmode ? `?sslmode=${sslmode}` : ''}`, {
    max: 1,
    ...(sslmode === undefined && { driver: verified }),
  });
  try {
    const [row] = await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row!['ssl'] as unknown;
  } catch (error) {
    return (error as { code: unknown }).code;
  } finally {
    await sql.end();
    await stopTls();
  }
}

test('a server whose certificate names the host is accepted', async () => {
  expect(await connectTo('localhost', { certificateFor: 'localhost' })).toBe(true);
});

test('a server whose certificate names another host is rejected', async () => {
  const wrongName = 'ERR_TLS_CERT_ALTNAME_INVALID';
  expect(await connectTo('localhost', { certificateFor: 'database.example.org' })).toBe(wrongName);
  // An address is not the name that leads to it.
  expect(await connectTo('127.0.0.1', { certificateFor: 'localhost' })).toBe(wrongName);
});

test('sslmode=verify-full rejects a certificate of an unknown authority, and sslmode=require accepts it', async () => {
  const certificateFor = 'localhost';
  const verified = await connectTo('localhost', { certificateFor, sslmode: 'verify-full' });
  expect(verified).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/);
  expect(await connectTo('localhost', { certificateFor, sslmode: 'require' })).toBe(true);
});
