import type { Queryable } from '../client.js';

export interface Plan {
  id: string;
  intakeType: 'glp-1' | 'nad' | 'micro';
  plan: string;
  displayName: string;
  amountCents: number;
  interval: string;
}

export const listActivePlans = (sql: Queryable) =>
  sql<Plan[]>`
    select id, intake_type, plan, display_name, amount_cents, interval
    from intake.plan
    where is_active
    order by intake_type, amount_cents, plan
  `;
