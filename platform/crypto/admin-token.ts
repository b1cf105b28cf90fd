import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** Claims of an admin's token (page 3, JWT claims); `ver` is the admin's revocation counter (D72). */
const claims = z.object({
  sub: z.string(),
  kind: z.literal('admin'),
  isSuperadmin: z.boolean(),
  memberships: z.array(z.object({ orgId: z.string(), role: z.enum(['org_admin', 'org_user', 'support']) })),
  ver: z.number().int().nonnegative(),
});
export type AdminClaims = z.infer<typeof claims>;

export const adminTokenLifetimeSeconds = 15 * 60;
const clockToleranceSeconds = 30;

/** HS256, 15 minutes. */
export const issueAdminToken = (secret: string, admin: AdminClaims): Promise<string> =>
  new SignJWT({ ...admin })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(`${adminTokenLifetimeSeconds}s`)
    .sign(Buffer.from(secret));

/**
 * The claims of a valid, fresh admin token, else undefined. The algorithm is pinned, `exp` is required and may lie
 * no further ahead than a token lives, and `kind` keeps tokens of another purpose out (reliability point 9).
 */
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
