import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { Agent, request } from 'undici';
import { createApp } from '../../api/app.js';
import type { App } from '../../api/context.js';
import { services } from '../../api/services.js';
import { createSql, type Sql } from '../../db/client.js';
import { productEnvironment } from '../../dev/start/environment.js';
import { portsFrom } from '../../dev/start/ports.js';
import { makeSecrets } from '../../dev/start/secrets.js';
import { loadConfig } from '../../platform/config.js';
import { createLogger } from '../../platform/logger.js';
import { serviceNames } from '../../platform/service-names.js';

describe('a service with a certificate (D89)', () => {
  /** Nothing listens there. */
  const sql: Sql = createSql('postgres://nobody@127.0.0.1:1/none', { applicationName: 'test' });
  const folder = mkdtempSync(join(tmpdir(), 'services-tls-'));
  const certificate = join(folder, 'service.pem');
  let app: App;
  let port: number;

  beforeAll(async () => {
    execFileSync('sh', ['deploy/certificates.sh', folder, 'service=localhost'], { stdio: 'ignore' });
    const development = productEnvironment({
      host: '127.0.0.1',
      ports: portsFrom({}),
      secrets: makeSecrets(),
      sandboxDataDir: '/sandbox',
      settings: {},
    });
    const settings = { TLS_CERT_PATH: certificate, TLS_KEY_PATH: join(folder, 'service.key') };
    const config = loadConfig({ ...development, ...settings }, serviceNames);
    const logger = createLogger({ level: 'silent' });
    const probes = () => ({ postgres: () => Promise.resolve() });
    app = await createApp({ ...services.patients, probes }, { config, logger, sql, temporal: new Client() });
    await app.listen({ host: '127.0.0.1', port: 0 });
    ({ port } = app.server.address() as AddressInfo);
  });
  afterAll(async () => {
    await app.close();
    await sql.end();
  });

  test('answers who trusts its authority, and nobody in the clear', async () => {
    const dispatcher = new Agent({ connect: { ca: readFileSync(join(folder, 'ca.pem')) } });
    const { statusCode } = await request(`https://localhost:${port}/health`, { dispatcher });
    expect(statusCode).toBe(200);
    await dispatcher.close();
    await expect(request(`https://localhost:${port}/health`)).rejects.toThrow(/certificate/);
    await expect(request(`http://localhost:${port}/health`)).rejects.toThrow();
  });

  test('gives a request 10 s for its headers and 30 s in all', () => {
    const { headersTimeout, requestTimeout } = app.server;
    expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 10_000, requestTimeout: 30_000 });
  });

  test('is found ready by the health check of its container, at the address where it listens', async () => {
    const check = async (settings: Record<string, string>) => {
      const env = { ...process.env, PORT_BASE: '1', PATIENTS_PORT: String(port), ...settings };
      const child = spawn(process.execPath, ['--import', 'tsx', 'cli/health-check.ts'], { env });
      const [code] = (await once(child, 'exit')) as [number];
      return code;
    };
    expect(await check({ TLS_CERT_PATH: certificate })).toBe(0);
    expect(await check({})).toBe(1);

    // Another address of the same port is ready in the clear.
    const elsewhere = createServer((_request, response) => response.end()).listen(port, '127.0.0.2');
    await once(elsewhere, 'listening');
    expect(await check({ HOST: '127.0.0.2' })).toBe(0);
    expect(await check({ HOST: '127.0.0.2', TLS_CERT_PATH: certificate })).toBe(1);
    elsewhere.close();
  });
});
