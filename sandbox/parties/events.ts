import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { Feed } from '../feed.js';
import { now } from '../ledger.js';
import type { Outside, Party } from '../outside.js';
import { signatureFault } from '../signature.js';

const EVENTS_HELD = 10_000;

/** The required fields of a CloudEvent in structured mode; others pass unchanged. */
const cloudEvent = z.looseObject({
  specversion: z.literal('1.0'),
  id: z.string().min(1),
  source: z.string().min(1),
  type: z.string().min(1),
});
/** A delivery, as `GET /_sandbox/events` shows it. */
interface Delivery {
  at: string;
  headers: IncomingHttpHeaders;
  event: z.infer<typeof cloudEvent>;
}
const query = z.object({ limit: z.coerce.number().int().min(1).optional() });

/** The external sink of the product's events. It keeps every delivery, repeats included. */
export function createEvents(outside: Outside): Party {
  const events = new Feed<Delivery>(outside.ledgerFile('events'), ({ event }) => event.type, EVENTS_HELD);
  return {
    target: 'events',
    prefixes: ['/events'],
    errorBody: (_status, message) => ({ error: message }),
    routes: (scope) => {
      scope.post('/', { config: { operation: 'receive' } }, (request, reply) => {
        const fault = signatureFault(request, outside.config.SANDBOX_EVENT_SINK_SECRET);
        if (fault) return reply.code(401).send({ error: fault });
        const parsed = cloudEvent.safeParse(request.body);
        if (!parsed.success) return reply.code(400).send({ error: 'A CloudEvent 1.0 is required' });
        events.add({ at: now(), headers: request.headers, event: parsed.data });
        return reply.code(202).send({ ok: true });
      });
    },
    control: (scope) => {
      scope.get('/events', (request, reply) => {
        const { limit } = query.parse(request.query);
        return reply.type('application/json').send(`{"events":${events.list({ limit })}}`);
      });
    },
    close: async () => events.close(),
  };
}
