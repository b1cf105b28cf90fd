/** An admin's role in one organization, the mightiest first (page 3, role matrix). */
export const roles = ['org_admin', 'org_user', 'support'] as const;
export type Role = (typeof roles)[number];
export const adminStates = ['invited', 'active', 'suspended'] as const;
export type AdminState = (typeof adminStates)[number];

/** Whoever changes a membership: `org_admin` stands for one of the organization in question. */
export type Granter = 'superadmin' | 'org_admin';

/**
 * Whether a membership may be given or replaced (D74): an org_admin neither makes an org_admin nor touches one.
 * @param present the role held in that organization so far
 */
export const mayGrant = (by: Granter, role: Role, present: Role | null): boolean =>
  by === 'superadmin' || (role !== 'org_admin' && present !== 'org_admin');

export const mayRevoke = (by: Granter, present: Role): boolean =>
  by === 'superadmin' || present !== 'org_admin';

/** Whether the new role may less than the present one: then the tokens that carry the present one must end (D72). */
export const isReduction = (present: Role | null, role: Role): boolean =>
  present !== null && roles.indexOf(role) > roles.indexOf(present);

/** The state of a suspended admin who is let in again: one who has never signed in is still only invited. */
export const reactivatedState = (hasSignedIn: boolean): AdminState => (hasSignedIn ? 'active' : 'invited');
