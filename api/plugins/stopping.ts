import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../context.js';
import { unavailable } from '../http-errors.js';

declare module 'fastify' {
  interface FastifyInstance {
    stopping: Stopping;
  }
}

interface Stopping {
  /** `/ready` says so, and connections end with their next answer; everything else goes on. */
  isAnnounced: boolean;
  /** Refuses what comes from now on; resolves once what was under way is answered, or its time is over. */
  refuseRest: (withinMs: number) => Promise<void>;
}

const lookEveryMs = 20;

/**
 * How a service stops: it says so, then refuses what comes with 503, and closes its port last of all, when it has nothing
 * else to do. A port that is closed with requests before it resets them, and nobody could tell what became of those.
 */
export function stopInSteps(app: App): void {
  let isRefusing = false;
  let underWay = 0;
  const stopping: Stopping = {
    isAnnounced: false,
    refuseRest: async (withinMs) => {
      isRefusing = true;
      const deadlineMs = Date.now() + withinMs;
      while (underWay > 0 && Date.now() < deadlineMs) await sleep(lookEveryMs);
    },
  };
  app.decorate('stopping', stopping);
  app.addHook('onRequest', (_request, _reply, done) => {
    underWay += 1;
    if (isRefusing) done(unavailable('Temporarily unavailable'));
    else done();
  });
  // Whoever holds a connection would send the next request on it, and meet a closed port.
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.isAnnounced) void reply.header('connection', 'close');
  });
  app.addHook('onResponse', async () => {
    underWay -= 1;
  });
}
