import type { CalendarDay } from '../calendar.js';

export const platforms = ['platform_a', 'platform_b'] as const;
export type Platform = (typeof platforms)[number];
/** A physician serves one platform or both; rules and requests name one. */
export const physicianPlatforms = [...platforms, 'both'] as const;
export type PhysicianPlatform = (typeof physicianPlatforms)[number];

export const licenseTypes = ['MD', 'DO', 'NP', 'FNP', 'PA', 'APRN'] as const;
export type LicenseType = (typeof licenseTypes)[number];

export interface LicenseTerm {
  /** Valid to the end of this day; null: does not expire (D51). */
  expirationDate: CalendarDay | null;
}

export const isExpired = ({ expirationDate }: LicenseTerm, today: CalendarDay): boolean =>
  expirationDate !== null && expirationDate < today;

export interface RoutingCandidate {
  priority: number;
  position: number;
  isActive: boolean;
  license: LicenseTerm | null;
}

/**
 * Page 1, Routing algorithm: the first active physician with an unexpired license, by priority and then by the time
 * of their addition (D53).
 */
export function chooseCandidate<C extends RoutingCandidate>(
  candidates: readonly C[],
  today: CalendarDay,
): (C & { license: NonNullable<C['license']> }) | undefined {
  const inOrder = [...candidates].sort((a, b) => b.priority - a.priority || a.position - b.position);
  return inOrder.find(
    (candidate): candidate is C & { license: NonNullable<C['license']> } =>
      candidate.isActive && candidate.license !== null && !isExpired(candidate.license, today),
  );
}

export const noPhysicianReason = (platform: Platform, state: string): string =>
  `No physician available for ${platform} in ${state}`;
export const licenseExpiredReason = 'License expired';

/** The first reason of D52 why a physician may not prescribe in a state. @param license the active one there */
export function refusalReason(
  physician: { isActive: boolean } | undefined,
  license: LicenseTerm | undefined,
  state: string,
  today: CalendarDay,
): string | undefined {
  if (!physician) return 'Physician not found';
  if (!physician.isActive) return 'Physician is inactive';
  if (!license) return `No active license in ${state}`;
  if (isExpired(license, today)) return licenseExpiredReason;
  return undefined;
}
