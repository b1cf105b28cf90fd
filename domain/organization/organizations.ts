export const organizationKinds = ['dtc', 'b2b'] as const;
export type OrganizationKind = (typeof organizationKinds)[number];
export const organizationStatuses = ['active', 'suspended', 'archived'] as const;
export type OrganizationStatus = (typeof organizationStatuses)[number];

/** 2-63 of lower-case letters, digits and hyphens (D74). */
export const isSlug = (text: string): boolean => /^[a-z0-9-]{2,63}$/.test(text);

/** The changes of status, from where they may be made and where they lead (page 3, Organization status; D74). */
export const statusChanges = {
  suspend: { from: ['active'], to: 'suspended' },
  archive: { from: ['active', 'suspended'], to: 'archived' },
  reactivate: { from: ['suspended'], to: 'active' },
} as const satisfies Record<string, { from: readonly OrganizationStatus[]; to: OrganizationStatus }>;
export type StatusChange = keyof typeof statusChanges;

/** @returns the status it leads to; undefined where it makes no sense, as on anything archived (409) */
export function statusAfter(
  status: OrganizationStatus,
  change: StatusChange,
): OrganizationStatus | undefined {
  const { from, to } = statusChanges[change];
  return (from as readonly OrganizationStatus[]).includes(status) ? to : undefined;
}

/** Why a change was not made: nobody the caller may know of, not with the caller's role, not as things stand. */
export interface Refusal {
  refused: 'unknown' | 'forbidden' | 'conflict';
  /** Shown to the caller. */
  why: string;
}
export const unknown = (what: string): Refusal => ({ refused: 'unknown', why: `${what} not found` });
export const conflicting = (why: string): Refusal => ({ refused: 'conflict', why });
export const notAllowed = (why: string): Refusal => ({ refused: 'forbidden', why });
export const isRefused = (result: object): result is Refusal => 'refused' in result;

/** A portal shows this of an organization; null where nothing was set (D74). */
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

/** An organization's notifications are sent under these names and addresses. */
export interface NotificationConfig {
  fromAddress: string | null;
  fromName: string | null;
  smsSenderNumber: string | null;
  emailConfigurationSet: string | null;
  defaultTemplateSet: string | null;
}
