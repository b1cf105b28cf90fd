import type { App, ServiceContext } from '../context.js';
import { readJsonBody } from '../plugins/strict-json.js';
import { invalid, refusal } from './answers.js';
import { submit } from './submit.js';
import { intake, submitHeaders, submitted } from './submit-contract.js';

/** Taking an intake (page 2, POST /submit). Public; its body is kept byte for byte, so it is parsed here. */
export async function submitRoutes(app: App, context: ServiceContext): Promise<void> {
  await app.register(async (instance) => {
    const scope = instance as App;
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.addHook('preValidation', async (request) => {
      request.rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      request.body = readJsonBody(request, request.rawBody);
    });

    scope.post(
      '/submit',
      {
        schema: {
          tags: ['Intake'],
          summary: 'Hand in an intake',
          description:
            'Answers within 8 s, also when the EMR is away: its patient is then made later. Safe to repeat with an `Idempotency-Key`.',
          headers: submitHeaders,
          body: intake,
          response: {
            200: submitted,
            400: invalid,
            409: refusal.describe('The key stands for another body'),
            413: refusal,
            415: refusal,
            429: refusal,
            500: refusal,
          },
        },
      },
      async ({ body, rawBody, headers }, reply) => {
        const key = headers['idempotency-key'];
        const answer = await submit(context, { intake: body, raw: rawBody, key });
        return reply.headers(answer.headers).send({ success: true, submissionId: answer.submissionId });
      },
    );
  });
}
