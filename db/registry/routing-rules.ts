import type { AccessEvent } from '../../domain/access-events.js';
import type { CalendarDay } from '../../domain/calendar.js';
import type { Platform } from '../../domain/registry/physician-routing.js';
import { noted } from '../access/access-events.js';
import { first, type Changes, type Queryable } from '../client.js';
import type { Physician } from './physicians.js';

/** The fields that `/route` returns. */
type RoutedPhysician = Omit<Physician, 'email' | 'organization' | 'platform' | 'isActive'>;

export interface CandidateRow {
  priority: number;
  position: number;
  isActive: boolean;
  physician: RoutedPhysician;
  license: { licenseNumber: string; expirationDate: CalendarDay | null } | null;
}

/**
 * The physicians of all active rules for a platform and state, each with the active license there.
 * @param access recorded if there is one
 */
export async function listCandidates(
  sql: Queryable,
  platform: Platform,
  state: string,
  access: AccessEvent,
): Promise<CandidateRow[]> {
  const rows = await sql<
    (RoutedPhysician & {
      priority: number;
      position: string;
      isActive: boolean;
      licenseNumber: string | null;
      expirationDate: CalendarDay | null;
    })[]
  >`
    with found as (
      select rule.priority, physician.position, physician.is_active, physician.id, physician.first_name,
        physician.last_name, physician.suffix, physician.npi, physician.dea_number, physician.phone, physician.fax,
        physician.address_line1, physician.address_city, physician.address_state, physician.address_zip,
        physician.emr_practitioner_id, license.license_number, license.expiration_date
      from registry.routing_rule rule
      join registry.physician physician on physician.id = rule.physician_id
      left join registry.license license
        on license.physician_id = physician.id and license.state = rule.state and license.is_active
      where rule.platform = ${platform} and rule.state = ${state} and rule.is_active
    ), ${noted(sql, access, 'found')}
    select * from found
  `;
  return rows.map(({ priority, position, isActive, licenseNumber, expirationDate, ...physician }) => ({
    priority,
    position: Number(position),
    isActive,
    physician,
    license: licenseNumber === null ? null : { licenseNumber, expirationDate },
  }));
}

export interface RoutingRule {
  id: string;
  platform: Platform;
  state: string;
  physicianId: string;
  /** Higher wins. */
  priority: number;
  isActive: boolean;
}

const columns = ['id', 'platform', 'state', 'physician_id', 'priority', 'is_active'] as const;
type RuleFields = Omit<RoutingRule, 'id' | 'isActive'>;

/** In the order of routing, by state. */
export const listRoutingRules = (sql: Queryable, isActive: boolean) =>
  sql<RoutingRule[]>`
    select rule.id, rule.platform, rule.state, rule.physician_id, rule.priority, rule.is_active
    from registry.routing_rule rule
    join registry.physician physician on physician.id = rule.physician_id
    where rule.is_active = ${isActive}
    order by rule.platform, rule.state, rule.priority desc, physician.position, rule.created_at, rule.id
  `;

/** @throws a violation of `routing_rule_physician_id_fkey` */
export async function addRoutingRule(sql: Queryable, fields: RuleFields): Promise<RoutingRule> {
  const [rule] = await sql<[RoutingRule]>`
    insert into registry.routing_rule ${sql(fields)}
    returning ${sql(columns)}
  `;
  return rule;
}

/** @returns undefined for an unknown rule. @throws a violation of `routing_rule_physician_id_fkey` */
export const updateRoutingRule = (
  sql: Queryable,
  id: string,
  changes: Changes<RuleFields & Pick<RoutingRule, 'isActive'>>,
) =>
  first(sql<RoutingRule[]>`
    update registry.routing_rule set ${sql({ ...changes, updatedAt: new Date() })}
    where id = ${id}
    returning ${sql(columns)}
  `);
