import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiKey, type ApiKeyScope, touchApiKey } from '../../db/access/api-keys.js';
import { useNonce } from '../../db/access/nonces.js';
import type { Key } from '../../platform/crypto/key-ring.js';
import { KeyRing } from '../../platform/crypto/key-ring.js';
import { sign, signatureMatches, signV2 } from '../../platform/crypto/signature.js';
import type { App, ServiceContext } from '../context.js';
import { forbidden, InvalidField, HttpError, unauthorized } from '../http-errors.js';
import { rejectDeclaredLength } from './declared-length.js';
import { countUnverified, rejectWhenExceeded } from './rate-limit.js';
import { rememberKeys } from './remember-keys.js';
import { acceptBytes } from './strict-json.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a request to a signed route says about who sent it, before its signature is verified. */
    claim: Claim;
    /** The verified client of a signed route. */
    apiKey: VerifiedKey;
  }
}

type VerifiedKey = Pick<
  ApiKey,
  'id' | 'scopes' | 'physicianId' | 'requestsPerMinute' | 'signatureVersion' | 'durable'
>;

interface Claim {
  key: ApiKey;
  /** Of version 2. */
  nonce: string | undefined;
  signed: Signed;
}

const timestampWindowMs = 5 * 60 * 1000;

type Scope = Exclude<ApiKeyScope, 'admin'>;

export interface SignedOptions {
  /** Any of them opens the routes; `admin` does so anyway. */
  scope: Scope | readonly Scope[];
  encryptionKeys: readonly Key[];
}

/**
 * Registers routes that only a signed request reaches (page 1, Authentication; D3, D4, D91, D95). In this order: declared
 * length (413), headers, time and key (401), and only then is the body read, to its limit (413); signature over its raw
 * bytes and nonce (401), scope (403), rate (429), content type (415), JSON and contract (400).
 */
export async function registerSigned(
  app: App,
  { sql, config, logger }: ServiceContext,
  options: SignedOptions,
  routes: (signed: App) => void,
): Promise<void> {
  const keys = new KeyRing(options.encryptionKeys);
  const opening = new Set<ApiKeyScope>(['admin', ...[options.scope].flat()]);
  const remembered = rememberKeys(sql);
  await app.register(async (scope) => {
    const signed = scope as App;
    const countRefusal = countUnverified(signed, config);
    const perKey = signed.createRateLimit({
      max: (request: FastifyRequest) =>
        request.apiKey.requestsPerMinute ?? config.RATE_LIMIT_PER_KEY_PER_MINUTE,
      timeWindow: '1 minute',
      keyGenerator: (request: FastifyRequest) => request.apiKey.id,
    });

    rejectDeclaredLength(signed);
    signed.addHook('onRequest', async (request, reply) => {
      request.claim = await claimOf(request).catch(refused(request, reply));
    });
    acceptBytes(signed, async (request, reply) => {
      const key = await verify(request).catch(refused(request, reply));
      request.apiKey = key;
      if (!key.scopes.some((one) => opening.has(one))) throw notForKey();
      if (key.requestsPerMinute !== 0) rejectWhenExceeded(reply, await perKey(request));
    });
    signed.addHook('preHandler', refuseUnaskedBody);
    routes(signed);

    function refused(request: FastifyRequest, reply: FastifyReply) {
      return async (error: unknown): Promise<never> => {
        if (error instanceof HttpError) await countRefusal(request, reply);
        throw error;
      };
    }
  });

  async function claimOf({ headers }: FastifyRequest): Promise<Claim> {
    const { 'x-api-key': keyId } = headers;
    if (typeof keyId !== 'string') throw unauthorized(missingHeaders);
    const nonce = nonceOf(headers);
    const signed = signatureOf(headers);
    const key = /^[A-Za-z0-9_.-]{1,64}$/.test(keyId) ? await remembered.findKey(keyId) : undefined;
    if (!key?.isActive) throw unauthorized(wrongSignature);
    return { key, nonce, signed };
  }

  async function verify(request: FastifyRequest): Promise<VerifiedKey> {
    const { nonce, signed } = request.claim;
    // A secret that was made a moment ago works at once.
    const key = isTaken(request.claim.key, request)
      ? request.claim.key
      : await remembered.findKeyAnew(request.claim.key.id);
    if (!key?.isActive || !isTaken(key, request)) throw unauthorized(wrongSignature);
    const expiresAt = expiryOf(signed.timestamp);
    if (nonce !== undefined && !(await useNonce(sql, { keyId: key.id, nonce, expiresAt })))
      throw unauthorized('Nonce already used');
    if (key.lastUsedAt === null || key.lastUsedAt.getTime() < Date.now() - 60_000)
      await touchApiKey(sql, key.id).catch((err: unknown) =>
        logger.warn({ err }, 'last use of a key not noted'),
      );
    return key;
  }

  function isTaken(key: ApiKey, request: FastifyRequest): boolean {
    const { nonce, signed } = request.claim;
    if (nonce === undefined && key.signatureVersion !== 1) return false;
    return secretsOf(key).some((secret) =>
      nonce === undefined
        ? isSignedWith(secret, signed, request.rawBody)
        : isSignedV2With(secret, { ...signed, nonce }, request),
    );
  }

  function secretsOf(key: ApiKey): string[] {
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

/**
 * The nonce of a signature of version 2; undefined where the request is signed by version 1 (D91).
 * @throws Refused 401 without a nonce, and for a version that there is not
 */
function nonceOf(headers: FastifyRequest['headers']): string | undefined {
  const { 'x-signature-version': version = '1', 'x-nonce': nonce } = headers;
  if (version === '1') return undefined;
  if (version !== '2') throw unauthorized(wrongSignature);
  if (typeof nonce !== 'string') throw unauthorized(missingHeaders);
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(nonce)) throw unauthorized('Invalid nonce');
  return nonce;
}

const isSignedV2With = (
  secret: string,
  { timestamp, nonce, signature }: Signed & { nonce: string },
  { method, raw: { url: path = '' }, rawBody }: FastifyRequest,
): boolean => signatureMatches(signV2(secret, { method, path, timestamp, nonce }, rawBody), signature);

/** From when a request is refused for its age. @param timestamp one that was found well-formed */
export const expiryOf = (timestamp: string): Date => new Date(Date.parse(timestamp) + timestampWindowMs);

/**
 * A route that asks for no body takes none, or `{}`: a signature of version 1 covers the body alone, so one that was made
 * for something else, such as a callback, is refused with what it was made for (D91).
 */
async function refuseUnaskedBody({ body, routeOptions }: FastifyRequest): Promise<void> {
  if (routeOptions.schema?.body !== undefined || body === undefined) return;
  const isEmpty =
    typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
  if (!isEmpty) throw new InvalidField('', 'must be empty or {}');
}

const withZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/;

/** ISO 8601 with a zone, within five minutes either way. @throws Refused 401 */
function checkTimestamp(timestamp: string): void {
  const at = withZone.test(timestamp) ? Date.parse(timestamp) : Number.NaN;
  if (Number.isNaN(at)) throw unauthorized('Invalid timestamp');
  if (Math.abs(Date.now() - at) > timestampWindowMs) throw unauthorized('Timestamp expired');
}
