import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { services } from '../../api/services.js';
import { defaultStateDir } from '../../dev/dev-json.js';
import type { ServiceName } from '../../platform/service-names.js';
import { eventually, shared } from '../helpers/client.js';
import { openApiOf } from '../helpers/openapi.js';

const dev = shared();
const names = Object.keys(services) as ServiceName[];
const isCoded = (service: ServiceName) => services[service].errorShape === 'code';

/** By Node's own client, since `fetch` sends no method that it does not know. */
async function ask(service: ServiceName, method: string, path: string, headers = {}) {
  const sent = request(dev.services[service] + path, { method, headers });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(answer);
  return { status: answer.statusCode, allow: answer.headers.allow, body };
}

describe.each(names)('%s', (service) => {
  test('405 with Allow for a method that a path does not have, before anybody is asked who they are', async () => {
    const { paths } = await openApiOf(dev, service);
    const message = 'Method not allowed';
    const body = isCoded(service) ? { error: 'method_not_allowed', message } : { error: message };
    for (const [path, operations] of Object.entries(paths)) {
      const answer = await ask(service, 'PROPFIND', path.replace(/\{\w+\}/g, 'x'));
      expect([path, answer.status, JSON.parse(answer.body)]).toEqual([path, 405, body]);
      const allowed = answer.allow?.split(', ');
      expect([path, allowed]).toEqual([
        path,
        expect.arrayContaining(Object.keys(operations).map((method) => method.toUpperCase())),
      ]);
      expect(allowed).not.toContain('PROPFIND');
    }
  });

  test('404 for a path that there is not, whatever the method; HEAD wherever GET is', async () => {
    for (const method of ['GET', 'DELETE', 'PROPFIND'])
      expect([method, (await ask(service, method, `/nowhere/${randomUUID()}`)).status]).toEqual([
        method,
        404,
      ]);
    expect(await ask(service, 'HEAD', '/ready')).toMatchObject({ status: 200, body: '' });
  });

  test('400 for two Host headers', async () => {
    const { hostname, port } = new URL(dev.services[service]);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /ready HTTP/1.1\r\nHost: ${hostname}\r\nhost: other.test\r\nConnection: close\r\n\r\n`);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(body).toContain('Bad request');
  });
});

test('405 comes before the body is looked at', async () => {
  const headers = { 'content-type': 'text/plain', 'content-length': '0' };
  expect((await ask('registry', 'POST', '/health', headers)).status).toBe(405);
});

describe('a client that hangs up', () => {
  const json = 'content-type: application/json\r\n';
  const signature = 'x-api-key: nobody\r\nx-timestamp: now\r\nx-signature: none\r\n';
  const brokenChunk = 'transfer-encoding: chunked\r\n';
  const routes: [ServiceName, string, string, string][] = [
    ['intake', 'GET /plans', '', ''],
    ['intake', 'POST /submit', `${json}content-length: 2\r\n`, '{}'],
    ['intake', 'POST /submit', json + brokenChunk, 'ZZ\r\n'],
    ['intake', 'POST /verify-email/send', `${json}content-length: 2\r\n`, '{}'],
    ['router', 'GET /rx/prescriptions', signature, ''],
    ['router', 'POST /rx/prescriptions/submit', signature + json + brokenChunk, 'ZZ\r\n'],
    ['organization', 'GET /v1/organizations', '', ''],
    ['organization', 'POST /v1/auth/otp/check', json + brokenChunk, 'ZZ\r\n'],
    ['bridge', 'POST /webhooks/emr', `${json}content-length: 2\r\n`, '{}'],
    ['bridge', 'GET /webhook-events', '', ''],
  ];

  interface Line {
    requestId?: string;
    level: number | string;
    statusCode?: number;
    msg: string;
  }
  const linesOf = (ids: ReadonlySet<string>): Line[] =>
    readFileSync(join(defaultStateDir(), 'logs', 'product.log'), 'utf8')
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
      .filter(({ requestId }) => requestId !== undefined && ids.has(requestId));

  /** Sends a request and resets the connection before anything is answered. */
  async function hangUp([service, route, headers, body]: (typeof routes)[number], id: string): Promise<void> {
    const { hostname, port } = new URL(dev.services[service]);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const head = `${route} HTTP/1.1\r\nHost: ${hostname}\r\nx-request-id: ${id}\r\n${headers}\r\n`;
    // In one go, so that the reset is there before the request is read.
    socket.write(head + body);
    socket.resetAndDestroy();
  }

  test('is no failure of ours in the log, on whatever route', async () => {
    const ids = new Set<string>();
    // Until one was gone before it was looked at; a reset may overtake its own request.
    await eventually(async () => {
      for (const route of routes) {
        const id = randomUUID();
        ids.add(id);
        await hangUp(route, id);
      }
      return linesOf(ids).some(({ statusCode }) => statusCode === 499);
    });
    for (const service of new Set(routes.map(([service]) => service))) {
      const last = randomUUID();
      await ask(service, 'GET', '/ready', { 'x-request-id': last });
      await eventually(async () => linesOf(new Set([last])).length > 0);
    }
    const isFailure = ({ level, statusCode = 0 }: Line) =>
      statusCode >= 500 || ['error', 'fatal', 50, 60].includes(level);
    expect(linesOf(ids).filter(isFailure)).toEqual([]);
  });
});
