import { randomUUID } from 'node:crypto';
import { findStoredHash, keepIntake, type ReceivedIntake } from '../../db/intake/submissions.js';
import { keyUsedOtherwiseText } from '../../domain/idempotency.js';
import { type Intake, notSavedText, refusalOf } from '../../domain/intake/intake.js';
import { businessDay } from '../../platform/business-day.js';
import { jsonHash, keyedHash, uuidV5 } from '../../platform/crypto/ids.js';
import { verifyPlanToken } from '../../platform/crypto/plan-token.js';
import { storeIntake } from '../../starts/intake.js';
import type { App, ServiceContext } from '../context.js';
import { formForAnybody } from '../plugins/anonymous.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { acceptBytes } from '../plugins/strict-json.js';
import { conflict, fieldErrors, httpError, HttpError } from '../http-errors.js';
import { intake, submitHeaders, submitted } from './contract.js';
import { proves } from './email-proof.js';
import { orFailWith } from './page-errors.js';
import { cancelCheckout } from './remind-of-checkout.js';

/** Receives an intake (page 2, POST /submit) and keeps its body byte for byte. Public. */
export async function submitRoutes(app: App, context: ServiceContext): Promise<void> {
  const { RATE_LIMIT_UNVERIFIED_PER_MINUTE } = context.config.service('intake');
  await app.register(async (instance) => {
    const scope = instance as App;
    acceptBytes(scope);

    scope.post(
      '/submit',
      {
        config: {
          errorCodes: ['email_not_verified', 'plan_token_expired', 'plan_token_invalid', 'unavailable'],
          access: { none: 'public: the caller is not identified' },
        },
        ...formForAnybody(limitPerAddress(scope, RATE_LIMIT_UNVERIFIED_PER_MINUTE)),
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

/** The answer is due within 8 s (D63), of which the EMR attempt takes up to 6 s. */
const answerWithinMs = 7_500;

/**
 * Checks an intake in the page's order (state, age, plan token, then the proof of its mailbox, D86) and starts its
 * workflow. The same key and body return the same answer, even after the tokens have expired (D62).
 * @param raw the body as received
 * @throws HttpError 400 for an invalid intake, 409 for a key used with another body, 500 when it is not stored
 */
async function submit(
  context: ServiceContext,
  { intake, raw, key }: { intake: Intake; raw: Buffer; key: string | undefined },
): Promise<{ submissionId: string; headers: Record<string, string> }> {
  const { temporal, logger } = context;
  const body = raw.toString();
  const bodyHash = jsonHash(JSON.parse(body));
  const submissionId = submissionIdOf(context, key);
  return orFailWith(notSavedText, logger, async () => {
    if (key !== undefined && (await isStored(context, submissionId, bodyHash)))
      return { submissionId, headers: { 'idempotent-replayed': 'true' } };

    const plan = acceptedPlan(context, intake);
    const emailProven = await proves(context, intake.emailProof, intake.email);
    await keep(context, { submissionId, body, bodyHash, ...plan, emailProven });
    // Only the row decides the answer, so an error of the workflow is only logged.
    await storeIntake(temporal, submissionId, answerWithinMs).catch((err: unknown) => {
      logger.warn({ err, submissionId }, 'the workflow of an intake did not answer');
    });
    if (!(await isStored(context, submissionId, bodyHash)))
      throw new HttpError(500, notSavedText, { code: 'unavailable' });
    await cancelCheckout(context, intake.email);
    return { submissionId, headers: {} };
  });
}

/** A key determines the id. Its hash is keyed, so that a caller cannot compute the id of another submission. */
function submissionIdOf({ config }: ServiceContext, key: string | undefined): string {
  if (key === undefined) return randomUUID();
  return uuidV5('intake', keyedHash(config.service('intake').ID_HASH_SECRET, key));
}

/** @throws HttpError 409 if another body has used the key */
async function isStored({ sql }: ServiceContext, submissionId: string, bodyHash: string): Promise<boolean> {
  const stored = await findStoredHash(sql, submissionId);
  if (stored !== undefined && stored !== bodyHash) throw keyUsedOtherwise();
  return stored !== undefined;
}

/** Steps 2 to 4 of page 2, POST /submit. @throws HttpError 400 */
function acceptedPlan(
  { config }: ServiceContext,
  intake: Intake,
): Pick<ReceivedIntake, 'plan' | 'planAmountCents'> {
  const refused = refusalOf(intake, businessDay(config.BUSINESS_TIMEZONE));
  if (refused !== undefined) throw new HttpError(400, refused);
  const token = verifyPlanToken(config.service('intake').PLAN_TOKEN_SECRET, intake.planToken, Date.now());
  if (token === 'expired')
    throw new HttpError(400, 'Plan token expired -- please refresh', { code: 'plan_token_expired' });
  if (token === 'invalid' || token.payload.intakeType !== intake.intakeType)
    throw new HttpError(400, 'Invalid plan token', { code: 'plan_token_invalid' });
  return { plan: token.payload.plan, planAmountCents: token.payload.amountCents };
}

/** @throws HttpError 409 if another body has used the key, even if that request is still running */
async function keep({ sql }: ServiceContext, received: ReceivedIntake): Promise<void> {
  if ((await keepIntake(sql, received)) !== received.bodyHash) throw keyUsedOtherwise();
}

const keyUsedOtherwise = () => conflict(keyUsedOtherwiseText);
