import { errors, jwtVerify, SignJWT } from 'jose';
import { purposeKey } from './ids.js';

/** Rejects tokens of another purpose. */
const typ = 'payment-link+jwt';

/**
 * The token of a payment link (D107). The same input gives the same token, so a resent message is identical.
 * @param endsAt epoch milliseconds; rounded up to seconds
 */
export const issuePaymentLink = (
  secret: string,
  { reference, endsAt }: { reference: string; endsAt: number },
): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ })
    .setSubject(reference)
    .setExpirationTime(Math.ceil(endsAt / 1000))
    .sign(purposeKey(secret, 'payment link'));

export async function readPaymentLink(
  secret: string,
  token: string,
): Promise<{ reference: string } | 'invalid' | 'expired'> {
  try {
    const { payload } = await jwtVerify(token, purposeKey(secret, 'payment link'), {
      algorithms: ['HS256'],
      typ,
      requiredClaims: ['exp', 'sub'],
    });
    return payload.sub === undefined ? 'invalid' : { reference: payload.sub };
  } catch (error) {
    // jose checks the signature first, so a forged token is invalid, not expired.
    return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
  }
}
