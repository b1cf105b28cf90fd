export const organizationKinds = ['dtc', 'b2b'] as const;
export type OrganizationKind = (typeof organizationKinds)[number];
export const organizationStatuses = ['active', 'suspended', 'archived'] as const;
export type OrganizationStatus = (typeof organizationStatuses)[number];

export const isSlug = (text: string): boolean => /^[a-z0-9-]{2,63}$/.test(text);

/** The allowed status changes (page 3, Organization status; D74). */
export const statusChanges = {
  suspend: { from: ['active'], to: 'suspended' },
  archive: { from: ['active', 'suspended'], to: 'archived' },
  reactivate: { from: ['suspended'], to: 'active' },
} as const satisfies Record<string, { from: readonly OrganizationStatus[]; to: OrganizationStatus }>;
export type StatusChange = keyof typeof statusChanges;

/** @returns the new status; undefined for a change that is not allowed (409) */
export function statusAfter(
  status: OrganizationStatus,
  change: StatusChange,
): OrganizationStatus | undefined {
  const { from, to } = statusChanges[change];
  return (from as readonly OrganizationStatus[]).includes(status) ? to : undefined;
}

/** A rejected change: the record is unknown to the caller, the role does not allow it, or the state does not. */
export interface Refusal {
  refused: 'unknown' | 'forbidden' | 'conflict';
  why: string;
}
export const unknown = (what: string): Refusal => ({ refused: 'unknown', why: `${what} not found` });
export const conflicting = (why: string): Refusal => ({ refused: 'conflict', why });
export const notAllowed = (why: string): Refusal => ({ refused: 'forbidden', why });
export const isRefused = (result: object): result is Refusal => 'refused' in result;

/** An organization's look in the portals; null for every value that is not set (D74). */
export interface Branding {
  primaryColor: string | null;
  logoUrl: string | null;
  faviconUrl: string | null;
  emailHeaderImageUrl: string | null;
  displayNames: { patientPortal: string | null; adminPortal: string | null; email: string | null };
}
export const noBranding: Branding = {
  primaryColor: null,
  logoUrl: null,
  faviconUrl: null,
  emailHeaderImageUrl: null,
  displayNames: { patientPortal: null, adminPortal: null, email: null },
};

export interface PortalConfig {
  messagingEnabled: boolean;
  selfSchedulingEnabled: boolean;
  refillSelfServiceEnabled: boolean;
  termsUrl: string | null;
}
export const noPortalConfig: PortalConfig = {
  messagingEnabled: false,
  selfSchedulingEnabled: false,
  refillSelfServiceEnabled: false,
  termsUrl: null,
};

export interface NotificationConfig {
  fromAddress: string | null;
  fromName: string | null;
  smsSenderNumber: string | null;
  emailConfigurationSet: string | null;
  defaultTemplateSet: string | null;
}
