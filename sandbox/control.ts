import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { parseFault } from './faults.js';
import { mailbox, type Outside, type Party } from './outside.js';

const limit = z.coerce.number().int().min(1).optional();
const requestsQuery = z.object({ target: z.string().optional(), limit });
const messagesQuery = z.object({ to: z.string().transform(mailbox).optional(), limit });
const ordersQuery = z.object({ pharmacy: z.string().optional(), limit });

/** The control API for all external services; each adds its own calls. */
export function control(scope: FastifyInstance, outside: Outside, parties: readonly Party[]): void {
  const targets = parties.map((party) => party.target);

  scope.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof z.ZodError)) throw error;
    return reply.code(400).send({ error: z.prettifyError(error) });
  });

  scope.get('/requests', (request, reply) => {
    const { target, limit } = requestsQuery.parse(request.query);
    return reply
      .type('application/json')
      .send(`{"requests":${outside.requests.list({ key: target, limit })}}`);
  });
  scope.delete('/requests', () => {
    outside.requests.clear();
    return { ok: true };
  });

  scope.get('/messages', (request, reply) => {
    const { to, limit } = messagesQuery.parse(request.query);
    return reply.type('application/json').send(`{"messages":${outside.messages.list({ key: to, limit })}}`);
  });

  scope.get('/orders', (request) => ({ orders: outside.orders.list(ordersQuery.parse(request.query)) }));

  scope.get('/faults', () => ({ faults: outside.faults.list(), targets }));
  scope.post('/faults', (request, reply) => {
    const fault = parseFault(request.body);
    if (!targets.includes(fault.target)) {
      return reply.code(400).send({ error: `No such target; there are ${targets.join(', ')}` });
    }
    outside.faults.set(fault);
    return reply.code(201).send({ fault });
  });
  scope.delete('/faults', () => {
    outside.faults.clear();
    return { ok: true };
  });

  for (const party of parties) party.control?.(scope);
}
