import { z } from 'zod';
import { claimAnswer } from '../../db/router/hold-answers.js';
import { findHold, type HoldKey } from '../../db/router/holds.js';
import { type Hold, holdNotOpenText } from '../../domain/router/holds.js';
import { jsonHash } from '../../platform/crypto/ids.js';
import { answerHold } from '../../starts/router.js';
import type { App, ServiceContext } from '../context.js';
import { conflict, fieldErrors, httpError, HttpError, unknown } from '../http-errors.js';
import * as contract from './contract.js';
import { ownSubmission, submissionParams } from './prescription-routes.js';

/** Answers to holds of pharmacies (D100). */
export function holdRoutes(signed: App, context: ServiceContext): void {
  signed.post(
    '/rx/prescriptions/:id/holds/:holdId/answer',
    {
      config: { errorCodes: ['answer_rejected'], access: { action: 'hold.answer', record: 'id' } },
      schema: {
        tags: ['Holds'],
        security: [{ signature: [] }],
        summary: 'Answer a hold of the pharmacy',
        description:
          'Responds once the pharmacy accepts the answer. Until then the hold stays open and rejects a different answer. Repeating the same answer joins the delivery.',
        params: submissionParams.extend({ holdId: z.string() }),
        body: contract.holdAnswer,
        response: {
          200: contract.oneHold,
          202: contract.oneHold.describe(
            'Delivery continues until the pharmacy responds or releases the hold',
          ),
          ...fieldErrors(400, 401, 403, 404, 413, 415, 429, 500, 503),
          409: httpError.describe('The hold is not open, or has a different answer'),
          502: httpError.describe('The pharmacy rejected the answer; the hold stays open'),
        },
      },
    },
    async ({ apiKey, params: { id, holdId }, body }, reply) => {
      const { id: submissionId } = await ownSubmission(context, apiKey.id, id);
      const { hold, isUnderWay } = await answerTheHold(context, { submissionId, holdId }, body);
      return reply.code(isUnderWay ? 202 : 200).send({ hold });
    },
  );
}

/**
 * Sends an answer to the pharmacy through the hold's workflow (D100).
 * @param answerWithinMs after this time the result is `isUnderWay`
 * @throws HttpError 404, 409 or 502 as the route documents
 */
export async function answerTheHold(
  { sql, temporal }: ServiceContext,
  key: HoldKey,
  given: z.infer<typeof contract.holdAnswer>,
  answerWithinMs = 30_000,
): Promise<{ hold: Hold; isUnderWay: boolean }> {
  const claim = await claimAnswer(sql, key, given, jsonHash(given));
  if (claim === 'unknown') throw unknown('Hold');
  if (claim === 'conflict') throw conflict(holdNotOpenText);
  const { number } = claim;
  let found = await findHold(sql, key);
  if (found?.hold.answer === null) {
    await answerHold(temporal, key, number, answerWithinMs);
    found = await findHold(sql, key);
  }
  if (!found) throw unknown('Hold');
  const { hold, refusal } = found;
  if (hold.answer !== null) return { hold, isUnderWay: false };
  // A pharmacy rejects an answer to a hold that it has released.
  if (hold.state !== 'open') throw conflict(holdNotOpenText);
  if (found.number === number && refusal !== null)
    throw new HttpError(502, refusal, { code: 'answer_rejected' });
  return { hold, isUnderWay: true };
}
