import type { App, ServiceContext } from '../context.js';
import { acceptBytes } from '../plugins/strict-json.js';
import { fieldErrors, httpError } from '../http-errors.js';
import { intake, submitHeaders, submitted } from './contract.js';
import { submit } from './submit.js';

/** Receives an intake (page 2, POST /submit) and keeps its body byte for byte. Public. */
export async function submitRoutes(app: App, context: ServiceContext): Promise<void> {
  await app.register(async (instance) => {
    const scope = instance as App;
    acceptBytes(scope);

    scope.post(
      '/submit',
      {
        config: { access: { none: 'public: the caller is not identified' } },
        schema: {
          tags: ['Intake'],
          summary: 'Submit an intake',
          description:
            'Answers within 8 s. If the EMR is unavailable, its patient is created later. Safe to repeat with an `Idempotency-Key`. Uses the EMR patient with the same address, family name and birth date, and changes that patient only with `emailProof`. Where a proof is required, an intake without one is 400 `Email is not verified`.',
          headers: submitHeaders,
          body: intake,
          response: {
            200: submitted,
            ...fieldErrors(400, 413, 415, 429),
            409: httpError.describe('Another body has used the key'),
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
