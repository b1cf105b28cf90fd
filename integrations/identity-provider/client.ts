import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { emailAddress } from '../../platform/email-address.js';
import { OutboundError } from '../../platform/http/outbound.js';

const party = 'Identity provider';
const timeoutMs = 3_000;
const clockToleranceSeconds = 30;
/** How long a token signs in after it was issued (D93); the provider's own end may come sooner. */
const maxTokenAge = '10 minutes';
/** Signatures with a key pair only: with a shared secret the provider's public key would do as one. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

interface Identity {
  /** The provider's subject. */
  id: string;
  /** Lower case. */
  email: string;
}

export interface IdentityProvider {
  /** Reads whom a provider's token stands for; undefined if it is not valid. @throws OutboundError without keys */
  identityOf: (idToken: string) => Promise<Identity | undefined>;
}

const claims = z.object({
  sub: z.string().min(1).max(255),
  email: emailAddress,
  // A provider that leaves it out may let people name any address (D93).
  email_verified: z.literal(true),
  azp: z.string().optional(),
});

/** Asking for the keys may fail with these, which are not the token's fault. */
const keyFaults = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

export function createIdentityProvider(settings: {
  jwksUrl: string;
  issuer: string;
  audience: string;
}): IdentityProvider {
  // A key that is not known yet is looked for at once, but not at every forged token.
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl), {
    timeoutDuration: timeoutMs,
    cooldownDuration: 5_000,
  });
  return {
    async identityOf(idToken) {
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
