import { jwtVerify, SignJWT } from 'jose';
import { purposeKey } from './ids.js';

const lifetimeSeconds = 2 * 60 * 60;
const clockToleranceSeconds = 30;
/** Rejects tokens of another purpose. */
const typ = 'email-proof+jwt';

/**
 * Proves for two hours that its bearer has read a mail to an address (D86).
 * @param address keyed hash of the address, because a browser stores the token
 */
export const issueEmailProof = (secret: string, address: string): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ })
    .setSubject(address)
    .setIssuedAt()
    .setExpirationTime(`${lifetimeSeconds}s`)
    .sign(purposeKey(secret, 'email proof'));

/** The keyed hash of the proven address; undefined if the proof is invalid or expired. */
export async function provenAddress(secret: string, proof: string): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(proof, purposeKey(secret, 'email proof'), {
      algorithms: ['HS256'],
      typ,
      requiredClaims: ['exp', 'iat', 'sub'],
      maxTokenAge: lifetimeSeconds,
      clockTolerance: clockToleranceSeconds,
    });
    return payload.sub;
  } catch {
    return undefined;
  }
}
