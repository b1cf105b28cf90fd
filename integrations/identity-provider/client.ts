import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { emailAddress } from '../../platform/http/text.js';
import { OutboundError } from '../../platform/http/outbound.js';

const party = 'Identity provider';
const timeoutMs = 3_000;
const clockToleranceSeconds = 30;
/** Maximum age of a token at sign-in (D93); it may expire sooner. */
const maxTokenAge = '10 minutes';
/** Only asymmetric algorithms: with HMAC the public key would work as the secret. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

interface Identity {
  /** The provider's subject. */
  id: string;
  /** In lower case. */
  email: string;
}

const claims = z.object({
  sub: z.string().min(1).max(255),
  email: emailAddress,
  // Without it a provider may let users enter any address (D93).
  email_verified: z.literal(true),
  azp: z.string().optional(),
});

/** Errors of loading the keys, not of the token. */
const keyFaults = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

export function createIdentityProvider(settings: { jwksUrl: string; issuer: string; audience: string }) {
  // The cooldown keeps forged tokens with unknown keys from causing a request each.
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl), {
    timeoutDuration: timeoutMs,
    cooldownDuration: 5_000,
  });
  return {
    /** The user of a valid token, else undefined. @throws OutboundError without keys */
    async identityOf(idToken: string): Promise<Identity | undefined> {
      try {
        const { payload } = await jwtVerify(idToken, keys, {
          issuer: settings.issuer,
          audience: settings.audience,
          algorithms,
          requiredClaims: ['exp', 'iat', 'sub'],
          maxTokenAge,
          clockTolerance: clockToleranceSeconds,
        });
        const parsed = claims.safeParse(payload);
        if (!parsed.success) return undefined;
        const { sub, email, azp = settings.audience } = parsed.data;
        return azp === settings.audience ? { id: sub, email: email.toLowerCase() } : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError && !keyFaults.has(error.code)) return undefined;
        if (error instanceof errors.JWKSTimeout)
          throw new OutboundError(party, { kind: 'timeout', timeoutMs });
        throw new OutboundError(party, { kind: 'network', code: 'no keys' });
      }
    },
  };
}
