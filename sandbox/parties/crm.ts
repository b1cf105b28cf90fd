import { z } from 'zod';
import { now } from '../ledger.js';
import type { Outside, Party } from '../outside.js';

/** Any object; a message shows these fields. */
const post = z.looseObject({
  email: z.string().optional(),
  phone: z.string().optional(),
  subject: z.string().optional(),
  text: z.string().optional(),
});

/** A CRM's webhook. */
export function createCrm({ messages }: Outside): Party {
  return {
    target: 'crm',
    prefixes: ['/crm'],
    errorBody: (_status, message) => ({ error: message }),
    routes: (scope) => {
      scope.post('/', { config: { operation: 'send' } }, (request, reply) => {
        const parsed = post.safeParse(request.body);
        if (!parsed.success) return reply.code(400).send({ error: 'A JSON object is required' });
        const { email, phone, subject, text } = parsed.data;
        messages.add({
          channel: 'crm',
          to: email ?? phone ?? null,
          subject: subject ?? null,
          text: text ?? JSON.stringify(parsed.data),
          html: null,
          at: now(),
        });
        return reply.send({ ok: true });
      });
    },
  };
}
