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

export const issueAdminToken = (secret: string, admin: AdminClaims): Promise<string> =>
  new SignJWT({ ...admin })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(`${adminTokenLifetimeSeconds}s`)
    .sign(Buffer.from(secret));

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
