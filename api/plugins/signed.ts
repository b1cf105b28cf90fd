import type { FastifyRequest } from 'fastify';
import { type ApiKey, type ApiKeyScope, findApiKey, touchApiKey } from '../../db/access/api-keys.js';
import type { Key } from '../../platform/crypto/key-ring.js';
import { KeyRing } from '../../platform/crypto/key-ring.js';
import { sign, signatureMatches } from '../../platform/crypto/signature.js';
import type { App, ServiceContext } from '../context.js';
import { forbidden, Refused, unauthorized } from '../refusals.js';
import { countRefusals, refuseWhenExceeded } from './rate-limit.js';
import { acceptBytes } from './strict-json.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The verified client of a signed route. */
    apiKey: VerifiedKey;
  }
}

type VerifiedKey = Pick<ApiKey, 'id' | 'scopes' | 'physicianId' | 'requestsPerMinute'>;

const timestampWindowMs = 5 * 60 * 1000;
/** Stands in for the secret of an unknown key, so that refusing it takes the same work, unsealing included. */
const nobodysSecret = 'x'.repeat(64);

export interface SignedOptions {
  scope: Exclude<ApiKeyScope, 'admin'>;
  encryptionKeys: readonly Key[];
}

/**
 * Registers routes that only a signed request reaches (page 1, Authentication; D3, D4). In this order: size (413),
 * signature over the raw bytes (401), scope (403), rate (429), content type (415), JSON and contract (400).
 */
export async function registerSigned(
  app: App,
  { sql, config, logger }: ServiceContext,
  options: SignedOptions,
  routes: (signed: App) => void,
): Promise<void> {
  const keys = new KeyRing(options.encryptionKeys);
  const nobodysSealedSecret = keys.encryptText(nobodysSecret);
  await app.register(async (scope) => {
    const signed = scope as App;
    const countRefusal = countRefusals(signed, config);
    const perKey = signed.createRateLimit({
      max: (request: FastifyRequest) =>
        request.apiKey.requestsPerMinute ?? config.RATE_LIMIT_PER_KEY_PER_MINUTE,
      timeWindow: '1 minute',
      keyGenerator: (request: FastifyRequest) => request.apiKey.id,
    });

    acceptBytes(signed, async (request, reply) => {
      const key = await verify(request).catch(async (refusal: unknown) => {
        if (refusal instanceof Refused) await countRefusal(request, reply);
        throw refusal;
      });
      request.apiKey = key;
      if (!key.scopes.includes(options.scope) && !key.scopes.includes('admin')) throw notForKey();
      if (key.requestsPerMinute !== 0) refuseWhenExceeded(reply, await perKey(request));
    });
    routes(signed);
  });

  async function verify({ headers, rawBody }: FastifyRequest): Promise<VerifiedKey> {
    const { 'x-api-key': keyId } = headers;
    if (typeof keyId !== 'string') throw unauthorized(missingHeaders);
    const signed = signatureOf(headers);
    const key = /^[A-Za-z0-9_.-]{1,64}$/.test(keyId) ? await findApiKey(sql, keyId) : undefined;
    const matches = secretsOf(key).map((secret) => isSignedWith(secret, signed, rawBody));
    if (!key?.isActive || !matches.includes(true)) throw unauthorized(wrongSignature);
    if (key.lastUsedAt === null || key.lastUsedAt.getTime() < Date.now() - 60_000)
      await touchApiKey(sql, key.id).catch((err: unknown) =>
        logger.warn({ err }, 'last use of a key not noted'),
      );
    return key;
  }

  function secretsOf(key: ApiKey | undefined): string[] {
    if (!key) return [keys.decryptText(nobodysSealedSecret)];
    const current = keys.decryptText(key.sealedSecret);
    const graceRuns =
      key.sealedPreviousSecret !== null &&
      key.previousSecretUntil !== null &&
      key.previousSecretUntil > new Date();
    return graceRuns ? [current, keys.decryptText(key.sealedPreviousSecret ?? '')] : [current];
  }
}

/** For administration (D27, D54): a hook of routes whose scope an ordinary key has too. @throws Refused 403 */
export async function adminKeysOnly({ apiKey }: FastifyRequest): Promise<void> {
  if (!apiKey.scopes.includes('admin')) throw notForKey();
}

const notForKey = () => forbidden('Key not allowed for this service');
const missingHeaders = 'Missing authentication headers';
export const wrongSignature = 'Invalid signature';

interface Signed {
  timestamp: string;
  signature: string;
}

/** What a request says about its signature. @throws Refused 401, also for one that is older than five minutes */
export function signatureOf(headers: FastifyRequest['headers']): Signed {
  const { 'x-timestamp': timestamp, 'x-signature': signature } = headers;
  if (typeof timestamp !== 'string' || typeof signature !== 'string') throw unauthorized(missingHeaders);
  checkTimestamp(timestamp);
  return { timestamp, signature };
}

/** Whether a secret made the signature over the time and the bytes; no body counts as `{}` (D3). */
export const isSignedWith = (secret: string, { timestamp, signature }: Signed, raw: Buffer): boolean =>
  signatureMatches(sign(secret, timestamp, raw.length > 0 ? raw : '{}'), signature);

const withZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/;

/** ISO 8601 with a zone, within five minutes either way. @throws Refused 401 */
function checkTimestamp(timestamp: string): void {
  const at = withZone.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(at)) throw unauthorized('Invalid timestamp');
  if (Math.abs(Date.now() - at) > timestampWindowMs) throw unauthorized('Timestamp expired');
}
