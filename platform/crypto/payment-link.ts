import { hkdfSync } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';

/** Keeps a token of another purpose out. */
const typ = 'payment-link+jwt';

/** A key of its own out of the orchestrator's secret, so that nothing else it signs is ever a link. */
const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'payment link', 32));

/**
 * The token of a link under which what is owed for a reference can be paid (D107). The same input gives the same token,
 * so that a message that is sent again is the same message.
 * @param endsAt epoch milliseconds; tokens count whole seconds
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

/** The reference that a link is of. */
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
    // Judged after the signature: only what was signed is said to have expired.
    return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
  }
}
