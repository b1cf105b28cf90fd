import { z } from 'zod';
import { now } from '../ledger.js';
import type { Outside, Party } from '../outside.js';

const post = z.object({ text: z.string().min(1) });

/** A chat webhook: takes `{text}` and answers in plain text. */
export function createChat({ messages }: Outside): Party {
  return {
    target: 'chat',
    prefixes: ['/chat'],
    errorBody: (_status, message) => message,
    routes: (scope) => {
      scope.post('/', { config: { operation: 'send' } }, (request, reply) => {
        const parsed = post.safeParse(request.body);
        if (!parsed.success) return reply.code(400).send('invalid_payload');
        messages.add({
          channel: 'chat',
          to: null,
          subject: null,
          text: parsed.data.text,
          html: null,
          at: now(),
        });
        return reply.send('ok');
      });
    },
  };
}
