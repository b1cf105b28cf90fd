import type { z } from 'zod';
import { findActiveLicense, type License } from '../../db/registry/licenses.js';
import { findPhysicianStatus } from '../../db/registry/physicians.js';
import { listCandidates } from '../../db/registry/routing-rules.js';
import type { Sql } from '../../db/client.js';
import type { AccessEvent } from '../../domain/access-events.js';
import type { CalendarDay } from '../../domain/calendar.js';
import {
  chooseCandidate,
  isExpired,
  licenseExpiredReason,
  noPhysicianReason,
  type Platform,
  refusalReason,
} from '../../domain/registry/physician-routing.js';
import type { routeAnswer, verifyAnswer } from './contract.js';

type RouteAnswer = z.output<typeof routeAnswer>;

/** Finds the physician for a platform's patients in a state (page 1, Routing algorithm). */
export async function routePatients(
  sql: Sql,
  platform: Platform,
  state: string,
  today: CalendarDay,
  access: AccessEvent,
): Promise<Extract<RouteAnswer, { physician: unknown }>> {
  const chosen = chooseCandidate(await listCandidates(sql, platform, state, access), today);
  if (!chosen) return { physician: null, reason: noPhysicianReason(platform, state) };
  const { physician, license, priority } = chosen;
  return { physician, licenseNumber: license.licenseNumber, priority };
}

/** Checks whether a physician may prescribe in a state, whatever the rules say (D52). */
export async function authorizePhysician(
  sql: Sql,
  physicianId: string | undefined,
  state: string,
  today: CalendarDay,
): Promise<RouteAnswer> {
  const physician = physicianId === undefined ? undefined : await findPhysicianStatus(sql, physicianId);
  const license = physician && (await findActiveLicense(sql, physician.id, state));
  const reason = refusalReason(physician, license, state, today);
  if (reason !== undefined) return { authorized: false, reason };
  return { authorized: true, licenseNumber: license?.licenseNumber ?? '' };
}

export function verifyLicense(
  license: License | undefined,
  state: string,
  today: CalendarDay,
): z.output<typeof verifyAnswer> {
  if (!license) return { licensed: false, state };
  const { licenseNumber, expirationDate, licenseType } = license;
  if (expirationDate !== null && isExpired(license, today))
    return { licensed: false, state, reason: licenseExpiredReason, expirationDate };
  return { licensed: true, state, licenseNumber, expirationDate, type: licenseType };
}
