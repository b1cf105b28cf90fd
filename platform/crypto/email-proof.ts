import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

const lifetimeSeconds = 2 * 60 * 60;
const clockToleranceSeconds = 30;
/** Rejects tokens of another purpose. */
const typ = 'email-proof+jwt';

/** A derived key: other signatures under the gateway's secret are never proofs. */
const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'email proof', 32));

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
    .sign(keyOf(secret));

/** The keyed hash of the proven address; undefined if the proof is invalid or expired. */
export async function provenAddress(secret: string, proof: string): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(proof, keyOf(secret), {
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
