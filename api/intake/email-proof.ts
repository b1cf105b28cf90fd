import { notVerifiedText } from '../../domain/intake/intake.js';
import { issueEmailProof, provenAddress } from '../../platform/crypto/email-proof.js';
import { keyedHash } from '../../platform/crypto/ids.js';
import type { ServiceContext } from '../context.js';
import { HttpError } from '../http-errors.js';

type Intake = Pick<ServiceContext, 'config'>;

/** Identifies an address, case-insensitively, without revealing it (D92). */
export const addressKey = ({ config }: Intake, email: string): string =>
  keyedHash(config.service('intake').ID_HASH_SECRET, `address:${email.toLowerCase()}`);

export const proofOf = (context: Intake, email: string): Promise<string> =>
  issueEmailProof(context.config.service('intake').PLAN_TOKEN_SECRET, addressKey(context, email));

/**
 * @returns the {@link addressKey} of the proven address; undefined for an invalid proof
 * @throws HttpError 400 without a valid proof where one is required (D86)
 */
export async function provenBy({ config }: Intake, proof: string | undefined): Promise<string | undefined> {
  const { PLAN_TOKEN_SECRET, INTAKE_REQUIRE_EMAIL_PROOF } = config.service('intake');
  const address = proof === undefined ? undefined : await provenAddress(PLAN_TOKEN_SECRET, proof);
  if (address === undefined && INTAKE_REQUIRE_EMAIL_PROOF) throw notVerified();
  return address;
}

/** Checks that a proof is for this address. @throws HttpError 400 if it is not and a proof is required (D86) */
export async function proves(context: Intake, proof: string | undefined, email: string): Promise<boolean> {
  const isProven = (await provenBy(context, proof)) === addressKey(context, email);
  if (!isProven && context.config.service('intake').INTAKE_REQUIRE_EMAIL_PROOF) throw notVerified();
  return isProven;
}

export const notVerified = (): HttpError =>
  new HttpError(400, notVerifiedText, { code: 'email_not_verified' });
