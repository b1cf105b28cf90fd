import { z } from 'zod';
import { claimAnswer } from '../../db/router/hold-answers.js';
import { findHold, type HoldKey } from '../../db/router/holds.js';
import { type Hold, holdNotOpenText, presentedHold } from '../../domain/router/holds.js';
import { jsonHash } from '../../platform/crypto/ids.js';
import { answerHold } from '../../starts/router.js';
import type { App, ServiceContext } from '../context.js';
import { conflict, fieldErrors, httpError, HttpError, unknown } from '../http-errors.js';
import * as contract from './contract.js';
import { ownSubmission, submissionParams } from './prescription-routes.js';

/** Answering what the pharmacies ask (D100). */
export function holdRoutes(signed: App, context: ServiceContext): void {
  signed.post(
    '/rx/prescriptions/:id/holds/:holdId/answer',
    {
      config: { access: { action: 'hold.answer', record: 'id' } },
      schema: {
        tags: ['Holds'],
        security: [{ signature: [] }],
        summary: 'Answer what the pharmacy asks',
        description:
          'Answers once the pharmacy has taken it. While it is on its way the hold is open, and another answer is refused; the same again joins.',
        params: submissionParams.extend({ holdId: z.string() }),
        body: contract.holdAnswer,
        response: {
          200: contract.oneHold,
          202: contract.oneHold.describe('On its way: it is tried until the pharmacy answers or releases'),
          ...fieldErrors(400, 401, 403, 404),
          409: httpError.describe('Not open, or answered otherwise'),
          ...fieldErrors(413, 415, 429, 500),
          502: httpError.describe('The pharmacy refuses the answer; the hold stays open'),
          ...fieldErrors(503),
        },
      },
    },
    async ({ apiKey, params: { id, holdId }, body }, reply) => {
      const { id: submissionId } = await ownSubmission(context, apiKey.id, id);
      const { hold, isUnderWay } = await answerTheHold(context, { submissionId, holdId }, body);
      return reply.code(isUnderWay ? 202 : 200).send({ hold: presentedHold(hold) });
    },
  );
}

/**
 * Has the run of a hold hand an answer to the pharmacy (D100).
 * @param answerWithinMs by then the pharmacy has taken it, or the caller is told that it is on its way
 * @throws Refused 404, 409 or 502 as the route says
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
  if (found.number === number && refusal !== null) throw new HttpError(502, refusal);
  if (hold.state !== 'open') throw conflict(holdNotOpenText);
  return { hold, isUnderWay: true };
}
