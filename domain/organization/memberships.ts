/** An admin's roles in an organization, the most powerful first (page 3, role matrix). */
export const roles = ['org_admin', 'org_user', 'support'] as const;
export type Role = (typeof roles)[number];
export const adminStates = ['invited', 'active', 'suspended'] as const;
export type AdminState = (typeof adminStates)[number];

/** The admin who changes a membership; `org_admin` means one of the same organization. */
export type Granter = 'superadmin' | 'org_admin';

/** An org_admin may neither create nor change an org_admin (D74). @param present the current role there */
export const mayGrant = (by: Granter, role: Role, present: Role | null): boolean =>
  by === 'superadmin' || (role !== 'org_admin' && present !== 'org_admin');

export const mayRevoke = (by: Granter, present: Role): boolean =>
  by === 'superadmin' || present !== 'org_admin';

/** True if the new role has fewer rights, so that tokens with the present one must end (D72). */
export const isReduction = (present: Role | null, role: Role): boolean =>
  present !== null && roles.indexOf(role) > roles.indexOf(present);

/** The state after a suspension ends: an admin who has never signed in is still invited. */
export const reactivatedState = (hasSignedIn: boolean): AdminState => (hasSignedIn ? 'active' : 'invited');
