import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../context.js';
import { unavailable } from '../http-errors.js';

declare module 'fastify' {
  interface FastifyInstance {
    stopping: Stopping;
  }
}

interface Stopping {
  /** `/ready` fails and connections close after their next response. */
  isAnnounced: boolean;
  /** Rejects new requests. Resolves after all pending responses, or after `withinMs`. */
  rejectNew: (withinMs: number) => Promise<void>;
}

const pollIntervalMs = 20;

/**
 * Stops a service in steps: announce, reject new requests with 503, close the port. Closing the socket with requests still
 * queued would reset them and leave their outcome unknown.
 */
export function stopInSteps(app: App): void {
  let isRejecting = false;
  let pending = 0;
  const stopping: Stopping = {
    isAnnounced: false,
    rejectNew: async (withinMs) => {
      isRejecting = true;
      const deadlineMs = Date.now() + withinMs;
      while (pending > 0 && Date.now() < deadlineMs) await sleep(pollIntervalMs);
    },
  };
  app.decorate('stopping', stopping);
  app.addHook('onRequest', (_request, _reply, done) => {
    pending += 1;
    if (isRejecting) done(unavailable());
    else done();
  });
  // Otherwise a client would reuse its connection and find a closed port.
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.isAnnounced) void reply.header('connection', 'close');
  });
  app.addHook('onResponse', async () => {
    pending -= 1;
  });
}
