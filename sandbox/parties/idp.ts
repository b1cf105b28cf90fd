import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { z } from 'zod';
import { keptFile } from '../kept-file.js';
import type { Outside, Party } from '../outside.js';

const ALGORITHM = 'ES256';
const LIFETIME_SECONDS = 600;

const person = z.strictObject({
  sub: z.string().min(1),
  email: z.string().min(1),
  /** Additional or different claims, such as an expired `exp` or another `iss`; null omits one. */
  claims: z.record(z.string(), z.unknown()).default({}),
});

/** An identity provider that trusts every caller. One permanent key signs its tokens. */
export async function createIdp(outside: Outside): Promise<Party> {
  const kept = await keptFile(outside.dataFile('idp-key.json'), async () => {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    return JSON.stringify({ ...(await exportJWK(privateKey)), kid: crypto.randomUUID() });
  });
  const { d, ...publicPart } = JSON.parse(kept) as JWK & { kid: string };
  const privateKey = await importJWK({ ...publicPart, d } as JWK, ALGORITHM);
  const { kid } = publicPart;

  return {
    target: 'idp',
    prefixes: ['/idp'],
    errorBody: (_status, message) => ({ error: message }),
    routes: (scope) => {
      scope.get('/jwks.json', { config: { operation: 'keys' } }, () => ({
        keys: [{ ...publicPart, alg: ALGORITHM, use: 'sig' }],
      }));
    },
    control: (scope) => {
      scope.post('/idp/tokens', async (request, reply) => {
        const { sub, email, claims } = person.parse(request.body);
        const { SANDBOX_IDP_ISSUER, SANDBOX_IDP_AUDIENCE } = outside.config;
        const iat = Math.floor(Date.now() / 1000);
        const usual = {
          iss: SANDBOX_IDP_ISSUER,
          aud: SANDBOX_IDP_AUDIENCE,
          iat,
          exp: iat + LIFETIME_SECONDS,
          // Tokens are unique, also for one person within a second.
          jti: crypto.randomUUID(),
        };
        const payload: Record<string, unknown> = { ...usual, sub, email, email_verified: true, ...claims };
        const stated = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null));
        const idToken = await new SignJWT(stated)
          .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
          .sign(privateKey);
        return reply.code(201).send({ idToken });
      });
    },
  };
}
