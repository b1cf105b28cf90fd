import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { z } from 'zod';
import { keptFile } from '../kept-file.js';
import type { Outside, Party } from '../outside.js';

const ALGORITHM = 'ES256';
const LIFETIME_SECONDS = 600;

const person = z.strictObject({
  sub: z.string().min(1),
  email: z.string().min(1),
  /** Further claims, or others than the usual: an `exp` of the past, another `iss`; null leaves one out. */
  claims: z.record(z.string(), z.unknown()).default({}),
});

/** An identity provider that believes whoever asks: one key of its own, kept for good, and tokens signed with it. */
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
          // No two tokens are the same, not even of one person in one second.
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
