import type { App, ServiceContext } from '../context.js';
import { acceptBytes } from '../plugins/strict-json.js';
import { fieldErrors, httpError } from '../http-errors.js';
import { intake, submitHeaders, submitted } from './contract.js';
import { submit } from './submit.js';

/** Taking an intake (page 2, POST /submit). Public; its body is kept byte for byte, so it is parsed here. */
export async function submitRoutes(app: App, context: ServiceContext): Promise<void> {
  await app.register(async (instance) => {
    const scope = instance as App;
    acceptBytes(scope);

    scope.post(
      '/submit',
      {
        config: { access: { none: 'public: whoever hands in an intake, who is nobody known' } },
        schema: {
          tags: ['Intake'],
          summary: 'Hand in an intake',
          description:
            'Answers within 8 s, also when the EMR is away: its patient is then made later. Safe to repeat with an `Idempotency-Key`. Joins the EMR patient of the address whose family name and birth date agree; only with `emailProof` does it change anything of them. Where a proof is required, one without is 400 `Email is not verified`.',
          headers: submitHeaders,
          body: intake,
          response: {
            200: submitted,
            ...fieldErrors(400, 413, 415, 429),
            409: httpError.describe('The key stands for another body'),
            500: httpError,
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
