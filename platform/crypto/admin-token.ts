import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** Claims of an admin's token (page 3, JWT claims); `ver` is the admin's revocation counter (D72). */
const claims = z.object({
  sub: z.string(),
  kind: z.literal('admin'),
  isSuperadmin: z.boolean(),
  /** Works the desk: work items, timelines, orders (D141). Absent counts as false. */
  isOperator: z.boolean().optional(),
  memberships: z.array(z.object({ orgId: z.string(), role: z.enum(['org_admin', 'org_user', 'support']) })),
  ver: z.number().int().nonnegative(),
  /** The sign-in, in seconds since 1970. Only a token with it is refreshed (D142). */
  auth_time: z.number().int().optional(),
});
export type AdminClaims = z.infer<typeof claims>;

export const adminTokenLifetimeSeconds = 15 * 60;
const clockToleranceSeconds = 30;

/** A session ends this long after its sign-in, however often it is refreshed (D142). */
export const sessionLifetimeSeconds = 12 * 60 * 60;

/** Issues a token for 15 minutes, and not beyond the end of its session. */
export function issueAdminToken(secret: string, admin: AdminClaims): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const sessionEnd = admin.auth_time === undefined ? Infinity : admin.auth_time + sessionLifetimeSeconds;
  return new SignJWT({ ...admin })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(Math.min(now + adminTokenLifetimeSeconds, sessionEnd))
    .sign(Buffer.from(secret));
}

/** The claims of a valid admin token, else undefined. `kind` rejects tokens of another purpose (reliability point 9). */
export async function verifyAdminToken(secret: string, token: string): Promise<AdminClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, Buffer.from(secret), {
      algorithms: ['HS256'],
      requiredClaims: ['exp', 'iat', 'sub'],
      maxTokenAge: adminTokenLifetimeSeconds,
      clockTolerance: clockToleranceSeconds,
    });
    const parsed = claims.safeParse(payload);
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
