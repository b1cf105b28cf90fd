import { hkdfSync } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';

/** Rejects tokens of another purpose. */
const typ = 'payment-link+jwt';

/** A derived key: other signatures under the orchestrator's secret are never links. */
const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'payment link', 32));

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
    .sign(keyOf(secret));

export async function readPaymentLink(
  secret: string,
  token: string,
): Promise<{ reference: string } | 'invalid' | 'expired'> {
  try {
    const { payload } = await jwtVerify(token, keyOf(secret), {
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
