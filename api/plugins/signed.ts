import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ApiKey, type ApiKeyScope, findApiKey, touchApiKey } from '../../db/access/api-keys.js';
import { pruneUsed, type Use, useUp } from '../../db/access/nonces.js';
import { type Key, KeyRing } from '../../platform/crypto/key-ring.js';
import { signatureMatches, signV2 } from '../../platform/crypto/signature.js';
import { inBatches } from '../../platform/in-batches.js';
import type { App, ServiceContext } from '../context.js';
import { forbidden, InvalidField, HttpError, unauthorized } from '../http-errors.js';
import { sampleRefusals } from './access.js';
import { cacheKeys } from './cached-keys.js';
import { rejectDeclaredLength } from './declared-length.js';
import { hasNoKnownField, rejectMisspeltFields } from './misspelt-fields.js';
import { countUnverified, rejectWhenExceeded } from './rate-limit.js';
import {
  expiryOf,
  isSignedWith,
  missingHeaders,
  nonceOf,
  repeatableAs,
  type Signed,
  signatureOf,
  wrongSignature,
} from './signature-headers.js';
import { acceptBytes } from './strict-json.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The handler awaits `signatureUse` beside a query of its own, before it has any effect. */
    awaitsSignatureUse?: true;
    /** Keys of this scope may use the route too. */
    alsoFor?: Scope;
  }
  interface FastifyRequest {
    /** Set before the signature is verified. */
    claim: Claim;
    /** Rejects with 401 if the signature has opened another request (D91, D158). */
    signatureUse: Promise<void>;
    /** Set after the signature is verified. */
    apiKey: VerifiedKey;
  }
}

type VerifiedKey = Pick<
  ApiKey,
  'id' | 'scopes' | 'physicianId' | 'requestsPerMinute' | 'signatureVersion' | 'durable' | 'client' | 'isOwn'
>;

interface Claim {
  key: ApiKey;
  /** Only for signature version 2. */
  nonce: string | undefined;
  signed: Signed;
}

const keyId = /^[A-Za-z0-9_.-]{1,64}$/;

type Scope = Exclude<ApiKeyScope, 'admin'>;

interface SignedOptions {
  /** A key with any of these scopes, or with `admin`, may use the routes. */
  scope: Scope | readonly Scope[];
  encryptionKeys: readonly Key[];
}

/**
 * Registers routes for signed requests (page 1, Authentication; D3, D4, D91, D95, D158). The checks run in this order:
 * declared length (413); headers, timestamp and key (401); body length (413); signature (401); scope (403); rate
 * (429); nonce (401); content type (415); JSON and contract (400); the use of a version 1 signature (401).
 */
export async function registerSigned(
  app: App,
  { sql, config, logger }: ServiceContext,
  options: SignedOptions,
  routes: (signed: App) => void,
): Promise<void> {
  const keys = new KeyRing(options.encryptionKeys);
  const allowed = new Set<ApiKeyScope>(['admin', ...[options.scope].flat()]);
  const cachedKeys = cacheKeys(sql);
  const isSampled = sampleRefusals();
  let pruneAt = 0;
  const use = inBatches(async (uses: readonly Use[]) => {
    if (performance.now() >= pruneAt) {
      pruneAt = performance.now() + pruneEveryMs;
      await pruneUsed(sql);
    }
    return useUp(sql, uses);
  });
  await app.register(async (scope) => {
    const signed = scope as App;
    const limitUnverified = countUnverified(signed, config);
    const perKey = signed.createRateLimit({
      max: (request: FastifyRequest) =>
        request.apiKey.requestsPerMinute ?? config.RATE_LIMIT_PER_KEY_PER_MINUTE,
      timeWindow: '1 minute',
      keyGenerator: (request: FastifyRequest) => request.apiKey.id,
    });

    signed.addHook('onRoute', ({ config = {} }) => void (config.caller = 'key'));
    signed.addHook('onRoute', rejectMisspeltFields);
    rejectDeclaredLength(signed);
    signed.addHook('onRequest', async (request, reply) => {
      request.claim = await claimOf(request).catch(limited(request, reply));
    });
    acceptBytes(signed, async (request, reply) => {
      const refuse = limited(request, reply);
      const key = await verify(request).catch(refuse);
      request.apiKey = key;
      const { alsoFor } = request.routeOptions.config;
      if (!key.scopes.some((scope) => allowed.has(scope) || scope === alsoFor)) throw notForKey();
      if (key.requestsPerMinute !== 0) rejectWhenExceeded(reply, await perKey(request));
      // Last, so that a client beyond its limit stores nothing.
      const { nonce } = request.claim;
      if (nonce !== undefined)
        await useOnce(request, key, { nonce, opens: null }, 'Nonce already used').catch(refuse);
    });
    signed.addHook('preHandler', rejectUnexpectedBody);
    signed.addHook('preHandler', async (request) => {
      const { nonce, signed } = request.claim;
      const use = { nonce: signed.signature, opens: repeatableAs(request) };
      request.signatureUse =
        nonce === undefined
          ? useOnce(request, request.apiKey, use, 'Signature already used')
          : Promise.resolve();
      // The handler may fail before it awaits it.
      request.signatureUse.catch(() => undefined);
      if (!request.routeOptions.config.awaitsSignatureUse) await request.signatureUse;
    });
    routes(signed);

    function limited(request: FastifyRequest, reply: FastifyReply) {
      return async (error: unknown): Promise<never> => {
        if (error instanceof HttpError) await limitUnverified(request, reply);
        await noteRefusal(request, error);
        throw error;
      };
    }
  });

  /** Records the rejection of a key that exists (D162): somebody guesses, or uses an old secret. */
  async function noteRefusal({ headers, accessed }: FastifyRequest, error: unknown): Promise<void> {
    const { 'x-api-key': id } = headers;
    if (!(error instanceof HttpError) || error.statusCode !== 401 || typeof id !== 'string') return;
    if (keyId.test(id) && isSampled(id) && (await findApiKey(sql, id)))
      accessed.refused = { actor: id, actorKind: 'key' };
  }

  async function claimOf({ headers }: FastifyRequest): Promise<Claim> {
    const { 'x-api-key': id } = headers;
    if (typeof id !== 'string') throw unauthorized(missingHeaders);
    const nonce = nonceOf(headers);
    const signed = signatureOf(headers);
    const key = keyId.test(id) ? await cachedKeys.findKey(id) : undefined;
    if (!key?.isActive) throw unauthorized(wrongSignature);
    return { key, nonce, signed };
  }

  /**
   * A service cannot read the secret of a key without its scopes, so it answers 403 (D4) unverified. That opens
   * nothing, and counts against the caller's address. Its event names the claimed key.
   */
  async function verify(request: FastifyRequest): Promise<VerifiedKey> {
    const { key: claimed } = request.claim;
    if (claimed.sealedSecret === null) {
      request.accessed.actor = { actor: claimed.id, actorKind: 'key' };
      throw notForKey();
    }
    // A cached key can lack a secret that was just created.
    const key = isSignedBy(request.claim.key, request)
      ? request.claim.key
      : await cachedKeys.readKey(request.claim.key.id);
    if (!key?.isActive || !isSignedBy(key, request)) throw unauthorized(wrongSignature);
    if (key.lastUsedAt === null || key.lastUsedAt.getTime() < Date.now() - 60_000)
      await touchApiKey(sql, key.id).catch((err: unknown) =>
        logger.warn({ err }, 'last use of a key not stored'),
      );
    return key;
  }

  /** @throws HttpError 401 if another request has used it */
  async function useOnce(
    { claim }: FastifyRequest,
    { id }: Pick<ApiKey, 'id'>,
    proof: Pick<Use, 'nonce' | 'opens'>,
    refusal: string,
  ): Promise<void> {
    if (!(await use({ keyId: id, ...proof, expiresAt: expiryOf(claim.signed.timestamp) })))
      throw unauthorized(refusal);
  }

  function isSignedBy(
    key: ApiKey,
    { claim: { nonce, signed }, method, raw, rawBody }: FastifyRequest,
  ): boolean {
    const { url: path = '' } = raw;
    if (nonce === undefined && key.signatureVersion !== 1) return false;
    return secretsOf(key).some((secret) =>
      nonce === undefined
        ? isSignedWith(secret, signed, rawBody)
        : signatureMatches(
            signV2(secret, { method, path, timestamp: signed.timestamp, nonce }, rawBody),
            signed.signature,
          ),
    );
  }

  function secretsOf(key: ApiKey): string[] {
    if (key.sealedSecret === null) return [];
    const current = keys.decryptText(key.sealedSecret, key.id);
    const { sealedPreviousSecret: previous, previousSecretUntil: until } = key;
    const isInGrace = previous !== null && until !== null && until > new Date();
    return isInGrace ? [current, keys.decryptText(previous, key.id)] : [current];
  }
}

/** A process deletes 500 expired proofs a second at most, more than it uses. */
const pruneEveryMs = 2_000;

/** Hook for routes that need the scope `admin` (D27, D54). @throws HttpError 403 */
export async function adminKeysOnly({ apiKey }: FastifyRequest): Promise<void> {
  if (!apiKey.scopes.includes('admin')) throw notForKey();
}

const notForKey = () => forbidden('Key not allowed for this service');

/**
 * A route without a body schema accepts only no body or `{}`. A version 1 signature covers just the body. So a signed
 * body of another request, such as a callback, must not pass here, nor where every field is optional (D91).
 */
async function rejectUnexpectedBody({ body, claim, rawBody, routeOptions }: FastifyRequest): Promise<void> {
  if (body === undefined) return;
  const { config, schema } = routeOptions;
  if (schema?.body === undefined) {
    const isEmpty =
      typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
    if (!isEmpty) throw new InvalidField('', 'must be empty or {}');
  } else if (claim.nonce === undefined && config.readBody === undefined && schema.body instanceof z.ZodType) {
    // The validated body has lost the fields that the contract does not know.
    const sent: unknown = rawBody.length === 0 ? undefined : JSON.parse(rawBody.toString());
    if (hasNoKnownField(schema.body, sent)) throw new InvalidField('', 'has no known field');
  }
}
