import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { z } from 'zod';
import { FAULT_TEXT } from '../../exchange.js';
import { Ledger, now } from '../../ledger.js';
import type { Outside, Party } from '../../outside.js';
import { openAuthority } from './authority.js';

const hostState = z.strictObject({
  hostname: z
    .hostname()
    .max(253)
    .transform((name) => name.toLowerCase()),
  state: z.enum(['valid', 'expired', 'none']),
});
type HostState = z.infer<typeof hostState>;

/** The authority's certificate for callers of the product's domains; a file of the data directory. */
const AUTHORITY_FILE = 'tls-ca.pem';

/**
 * A server for the clinics' own domains. It presents each hostname's certificate, or ends the handshake without one,
 * and answers any request with one line.
 */
export async function createTls(outside: Outside): Promise<Party> {
  const { config, faults, requests } = outside;
  const authority = await openAuthority(outside.dataFile('tls-ca-key.pem'), outside.dataFile(AUTHORITY_FILE));
  const hosts = new Map<string, HostState>();
  const ledger = new Ledger<HostState>(outside.ledgerFile('tls'), (host) => hosts.set(host.hostname, host));
  const sockets = new Set<Socket>();

  /** Returns the context to present, or null. @throws to cut the connection */
  const meet = async (hostname: string): Promise<SecureContext | null> => {
    const at = now();
    const state = hosts.get(hostname)?.state ?? 'none';
    const fault = faults.take('tls', 'handshake');
    requests.add({
      target: 'tls',
      operation: 'handshake',
      method: 'TLS',
      path: hostname,
      headers: {},
      body: null,
      status: state === 'none' || (fault && fault.kind !== 'delay') ? null : 200,
      responseBody: { state },
      fault: fault?.kind ?? null,
      at,
    });
    if (fault?.kind === 'delay') await sleep(fault.delayMs, undefined, { ref: false });
    else if (fault?.kind === 'hang') await new Promise(() => undefined);
    else if (fault) throw new Error(FAULT_TEXT);
    return state === 'none' ? null : createSecureContext(await authority.issue(hostname, state));
  };

  const server = createServer(
    {
      SNICallback: (name, done) =>
        void meet(name.toLowerCase()).then(
          (context) => done(null, context ?? undefined),
          (error: unknown) => done(error as Error),
        ),
    },
    (request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
        .end(`The sandbox stands in for ${request.headers.host ?? 'this host'}.\n`),
  );
  // A failed handshake is an outcome, which the caller sees.
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  return {
    target: 'tls',
    prefixes: [],
    routes: () => undefined,
    errorBody: () => null,
    control: (scope) => {
      scope.get('/tls', () => ({ hosts: [...hosts.values()].reverse() }));
      scope.post('/tls', (request, reply) => {
        const host = hostState.parse(request.body);
        ledger.append(host);
        hosts.set(host.hostname, host);
        return reply.code(201).send({ host });
      });
    },
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(config.SANDBOX_TLS_PORT, config.HOST, () =>
          resolve((server.address() as AddressInfo).port),
        );
      }),
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
      ledger.close();
    },
  };
}
