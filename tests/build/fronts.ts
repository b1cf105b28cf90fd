import { chownSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server, type TlsOptions } from 'node:tls';
import type { Sql } from '../../db/client.js';
import type { DevJson } from '../../dev/dev-json.js';
import { openAuthority } from '../../sandbox/parties/tls/authority.js';
import { eventually } from '../helpers/client.js';

export interface Front {
  /** The origin of the outside, by a name that leads to this machine, with a certificate. */
  outside: string;
  /** A database's address by such a name. */
  database: (url: string) => string;
  /** Settings that lead a process here: names, authority, and its own certificate for Temporal. */
  environment: Record<string, string>;
  close: () => Promise<void>;
}

/**
 * The gateways of a production (docs/production.md) on this machine: TLS before the public APIs, mutual TLS before
 * Temporal, and TLS within Postgres. All have one authority and names under example.org.
 */
export async function openFronts({
  folder,
  dev,
  owner,
  postgresDir,
}: {
  folder: string;
  dev: DevJson;
  owner: Sql;
  postgresDir: string;
}): Promise<Front> {
  const authorityFile = join(folder, 'ca.pem');
  const authority = await openAuthority(join(folder, 'ca-key.pem'), authorityFile);
  const { key, cert } = await authority.issue('*.example.org', 'valid');
  const ca = readFileSync(authorityFile, 'utf8');
  const files = {
    key: join(folder, 'own-key.pem'),
    cert: join(folder, 'own.pem'),
    names: join(folder, 'names.cjs'),
  };
  writeFileSync(files.key, key);
  writeFileSync(files.cert, cert);
  writeFileSync(files.names, namesOfThisMachine);

  const outside = await front({ key, cert }, new URL(dev.sandbox).host);
  const temporal = await front(
    { key, cert, ca, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] },
    dev.temporal.address,
  );
  const stopPostgresTls = await startPostgresTls(owner, postgresDir, { key, cert });
  return {
    outside: `https://parties.example.org:${portOf(outside)}`,
    database: (url) => url.replace(`@${new URL(dev.databaseUrl).hostname}:`, '@database.example.org:'),
    environment: {
      NODE_OPTIONS: `--require ${files.names}`,
      NODE_EXTRA_CA_CERTS: authorityFile,
      TEMPORAL_ADDRESS: `127.0.0.1:${portOf(temporal)}`,
      TEMPORAL_TLS: 'true',
      TEMPORAL_TLS_SERVER_NAME: 'temporal.example.org',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: authorityFile,
      TEMPORAL_TLS_CLIENT_CERT_PATH: files.cert,
      TEMPORAL_TLS_CLIENT_KEY_PATH: files.key,
    },
    close: async () => {
      outside.close();
      temporal.close();
      await stopPostgresTls();
    },
  };
}

/** As a machine's own name service would have it: the names that certificates are for lead here. */
const namesOfThisMachine = `
const dns = require('node:dns');
const { lookup, resolve4, resolve6 } = dns;
const isOurs = (name) => name.endsWith('.example.org');
dns.lookup = (name, ...rest) => lookup(isOurs(name) ? '127.0.0.1' : name, ...rest);
const noRecord = (resolve) => (name, ...rest) =>
  isOurs(name) ? rest.at(-1)(Object.assign(new Error('no record'), { code: 'ENODATA' })) : resolve(name, ...rest);
dns.resolve4 = noRecord(resolve4);
dns.resolve6 = noRecord(resolve6);
`;

/**
 * Mutual TLS before a Temporal that speaks none, with the certificates of deploy/certificates.sh. @returns what ends
 * it
 */
export async function openTemporalFront(certificates: string, to: string, port: number): Promise<() => void> {
  const read = (file: string) => readFileSync(join(certificates, file), 'utf8');
  const server = await front(
    {
      key: read('temporal.key'),
      cert: read('temporal.pem'),
      ca: read('ca.pem'),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    to,
    port,
  );
  return () => void server.close();
}

/** Ends TLS before a server that speaks none. */
async function front(options: TlsOptions, to: string, at = 0): Promise<Server> {
  const { hostname, port } = new URL(`tcp://${to}`);
  const server = createServer(options, (caller) => {
    const behind = connect(Number(port), hostname);
    caller.pipe(behind).pipe(caller);
    for (const socket of [caller, behind])
      socket.on('error', () => [caller, behind].map((one) => one.destroy()));
  });
  server.on('tlsClientError', () => undefined);
  await once(server.listen(at, '127.0.0.1'), 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Lets the running server take connections with TLS too. @returns what sets it back */
export async function startPostgresTls(
  owner: Sql,
  dataDir: string,
  { key, cert }: { key: string; cert: string },
): Promise<() => Promise<void>> {
  const { uid, gid } = statSync(dataDir);
  const files = { ssl_cert_file: join(dataDir, 'tls.crt'), ssl_key_file: join(dataDir, 'tls.key') };
  writeFileSync(files.ssl_cert_file, cert, { mode: 0o600 });
  writeFileSync(files.ssl_key_file, key, { mode: 0o600 });
  for (const file of Object.values(files)) chownSync(file, uid, gid);
  await owner.unsafe(`alter system set ssl_cert_file = 'tls.crt'`);
  await owner.unsafe(`alter system set ssl_key_file = 'tls.key'`);
  const turn = async (state: 'on' | 'off') => {
    await owner.unsafe(`alter system set ssl = ${state}`);
    await owner`select pg_reload_conf()`;
    await eventually(async () => {
      const [{ ssl }] = await owner<[{ ssl: string }]>`select current_setting('ssl') as ssl`;
      return ssl === state;
    });
  };
  await turn('on');
  return async () => {
    await turn('off');
    for (const file of Object.values(files)) rmSync(file);
  };
}
