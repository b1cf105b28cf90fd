import { notVerifiedText } from '../../domain/intake/intake.js';
import { issueEmailProof, provenAddress } from '../../platform/crypto/email-proof.js';
import { keyedHash } from '../../platform/crypto/ids.js';
import type { ServiceContext } from '../context.js';
import { HttpError } from '../http-errors.js';

type Intake = Pick<ServiceContext, 'config'>;

/** Stands for an address, in whatever case it is written, where nobody shall read it (D92). */
export const addressKey = ({ config }: Intake, email: string): string =>
  keyedHash(config.service('intake').ID_HASH_SECRET, `address:${email.toLowerCase()}`);

/** What proves an address whose code was entered. */
export const proofOf = (context: Intake, email: string): Promise<string> =>
  issueEmailProof(context.config.service('intake').PLAN_TOKEN_SECRET, addressKey(context, email));

/**
 * The address that a request proves, as {@link addressKey} has it. One that is not valid is none.
 * @throws Refused 400 without one, where one is required (D86)
 */
export async function provenBy({ config }: Intake, proof: string | undefined): Promise<string | undefined> {
  const { PLAN_TOKEN_SECRET, INTAKE_REQUIRE_EMAIL_PROOF } = config.service('intake');
  const address = proof === undefined ? undefined : await provenAddress(PLAN_TOKEN_SECRET, proof);
  if (address === undefined && INTAKE_REQUIRE_EMAIL_PROOF) throw notVerified();
  return address;
}

/** Whether a request proves this address. @throws Refused 400 where it does not and that is required (D86) */
export async function proves(context: Intake, proof: string | undefined, email: string): Promise<boolean> {
  const isProven = (await provenBy(context, proof)) === addressKey(context, email);
  if (!isProven && context.config.service('intake').INTAKE_REQUIRE_EMAIL_PROOF) throw notVerified();
  return isProven;
}

export const notVerified = (): HttpError => new HttpError(400, notVerifiedText);
