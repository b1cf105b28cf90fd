import { hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';

const lifetimeSeconds = 2 * 60 * 60;
const clockToleranceSeconds = 30;
/** Keeps a token of another purpose out. */
const typ = 'email-proof+jwt';

/** A key of its own out of the gateway's secret, so that nothing it signs is ever a proof. */
const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'email proof', 32));

/**
 * Says for two hours that who bears it has read the mail sent to an address (D86).
 * @param address keyed hash of one, since a browser keeps what it is given
 */
export const issueEmailProof = (secret: string, address: string): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ })
    .setSubject(address)
    .setIssuedAt()
    .setExpirationTime(`${lifetimeSeconds}s`)
    .sign(keyOf(secret));

/** The keyed hash of the address that a proof is of; undefined for one that is forged, expired or none at all. */
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
