import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { signatureMatches } from './signature.js';

/** Page 2, Plan token; `issuedAt` is epoch milliseconds. */
const planTokenPayload = z.object({
  intakeType: z.string().min(1),
  plan: z.string().min(1),
  amountCents: z.int().nonnegative(),
  issuedAt: z.int(),
});
export type PlanTokenPayload = z.infer<typeof planTokenPayload>;

const planTokenLifetimeMs = 15 * 60 * 1000;
/** Clock skew between our machines (D60). */
const clockToleranceMs = 60 * 1000;

/** `<base64url(payload)>.<hex hmac>`: nobody without the secret can change the price inside. */
export function issuePlanToken(secret: string, payload: PlanTokenPayload): string {
  const { intakeType, plan, amountCents, issuedAt } = payload;
  const encoded = Buffer.from(JSON.stringify({ intakeType, plan, amountCents, issuedAt })).toString(
    'base64url',
  );
  return `${encoded}.${macOf(secret, encoded)}`;
}

/** Malformed tokens and tokens from the future are invalid, like forged ones (D60). @param now epoch milliseconds */
export function verifyPlanToken(
  secret: string,
  token: string,
  now: number,
): { ok: true; payload: PlanTokenPayload } | 'invalid' | 'expired' {
  const separator = token.lastIndexOf('.');
  const encoded = token.slice(0, Math.max(separator, 0));
  if (!signatureMatches(macOf(secret, encoded), token.slice(separator + 1))) return 'invalid';
  const payload = payloadOf(encoded);
  if (!payload || payload.issuedAt > now + clockToleranceMs) return 'invalid';
  return now - payload.issuedAt > planTokenLifetimeMs ? 'expired' : { ok: true, payload };
}

const macOf = (secret: string, encoded: string): string =>
  createHmac('sha256', secret).update(encoded).digest('hex');

function payloadOf(encoded: string): PlanTokenPayload | undefined {
  try {
    const parsed = planTokenPayload.safeParse(JSON.parse(Buffer.from(encoded, 'base64url').toString()));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
