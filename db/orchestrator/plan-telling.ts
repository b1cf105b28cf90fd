import type { CalendarDay } from '../../domain/calendar.js';
import { planNoticeDue, treatmentChanged } from '../../domain/events.js';
import {
  decisionDay,
  dueNotice,
  isCheckInMissing,
  missingFact,
  type PlanNotice,
} from '../../domain/orchestrator/plan-notices.js';
import { planRunPrefix } from '../../domain/orchestrator/plans.js';
import { refillReference } from '../../domain/orchestrator/refills.js';
import type { WorkItemAnswer, WorkItemKind } from '../../domain/work-items.js';
import type { Queryable } from '../client.js';
import { publishEvent } from '../outbox.js';
import { closeWorkItem, openWorkItem } from '../work-items.js';
import type { BusinessDay } from './clock.js';
import type { Plan } from './plans.js';

type Kind = Extract<WorkItemKind, 'check_in_missing' | 'decision_needed'>;

/**
 * Notifies those for whom a plan waits, in the transaction that judges it (D127). The patient hears of a due check-in,
 * people of a decision, a renewal and a missing check-in. Closes the work items that have become pointless.
 * @param graceDays set by the daily check, which alone asks people about a missing check-in
 */
export async function tellOfPlan(
  sql: Queryable,
  plan: Plan,
  { today, timeZone, graceDays }: BusinessDay & { graceDays?: number | undefined },
): Promise<void> {
  const stage = plan.status === 'active' ? dueNotice(plan, today) : undefined;
  if (stage !== undefined) {
    await sql`
      update orchestrator.plan set
        noticed = ${stage}, reminded_on = case when noticed_fill = ${plan.fill} then reminded_on end,
        noticed_fill = ${plan.fill}
      where id = ${plan.id}
    `;
    await publishNotice(sql, { planId: plan.id, fill: plan.fill, round: plan.noticeRound, stage });
  }
  const wanted = wantedItems(plan, { today, graceDays });
  for (const open of await listOpenItems(sql, [plan.id]))
    if (!isWanted(plan, wanted, open)) await closeWorkItem(sql, 'orchestrator', open);
  for (const [fact, { kind, reason, answers, dueOn }] of wanted) {
    if (kind === 'check_in_missing' && (await isDismissed(sql, fact))) continue;
    await openWorkItem(sql, 'orchestrator', {
      ...{ kind, fact, reason, workflowId: `${planRunPrefix}${plan.id}`, replacesReason: true },
      references: {
        planId: plan.id,
        emrPatientId: plan.emrPatientId,
        ...(plan.client !== '' && { client: plan.client }),
      },
      ...(answers && { answers }),
      ...(dueOn !== undefined && { dueOn: { day: dueOn, timeZone } }),
    });
  }
}

/** True if nobody must be notified today and no open item of the plan must be closed. */
export function isTold(
  plan: Plan,
  open: readonly Item[],
  { today, graceDays }: { today: CalendarDay; graceDays: number },
): boolean {
  const wanted = wantedItems(plan, { today, graceDays });
  const facts = new Set(open.map(({ fact }) => fact));
  return (
    dueNotice(plan, today) === undefined &&
    [...wanted.keys()].every((fact) => facts.has(fact)) &&
    open.every((item) => isWanted(plan, wanted, item))
  );
}

const isWanted = (plan: Plan, wanted: ReadonlyMap<string, Wanted>, { kind, fact }: Item): boolean =>
  kind === 'decision_needed' ? wanted.has(fact) : plan.status === 'active' && fact === missingFact(plan);

interface Wanted {
  kind: Kind;
  reason: string;
  answers?: readonly WorkItemAnswer[];
  dueOn?: string;
}

/** The items of what is waited for, by their fact. */
function wantedItems(plan: Plan, { today, graceDays }: { today: string; graceDays: number | undefined }) {
  const wanted = new Map<string, Wanted>();
  for (const { what, because, dueAt } of plan.waiting)
    if (what !== 'check_in')
      wanted.set([plan.id, plan.fill, what].join(':'), {
        kind: 'decision_needed',
        reason: because,
        answers: what === 'decision' ? ['decide', 'stop'] : ['renew', 'stop'],
        dueOn: decisionDay(dueAt),
      });
  const asksPeople = graceDays !== undefined && plan.status === 'active';
  if (asksPeople && isCheckInMissing(plan, today, graceDays))
    wanted.set(missingFact(plan), { kind: 'check_in_missing', reason: reasonOf(plan) });
  return wanted;
}

const reasonOf = ({ waiting }: Plan) => waiting.find(({ what }) => what === 'check_in')?.because ?? 'fill';

interface Item {
  planId: string;
  kind: Kind;
  fact: string;
}
/** The open items of plans. Literals, so that Postgres uses the partial index. */
export const listOpenItems = (sql: Queryable, planIds: readonly string[]) => sql<Item[]>`
  select refers_to ->> 'planId' as plan_id, kind, fact from orchestrator.work_item
  where state <> 'closed' and kind in ('check_in_missing', 'decision_needed')
    and refers_to ->> 'planId' = any(${sql.array([...planIds])}::text[])
`;

const isDismissed = async (sql: Queryable, fact: string): Promise<boolean> =>
  (
    await sql`
      select from orchestrator.work_item
      where kind = 'check_in_missing' and fact = ${fact} and state = 'closed' and answer = 'dismiss'
    `
  ).length > 0;

const publishNotice = (sql: Queryable, notice: PlanNotice) =>
  publishEvent(sql, 'orchestrator', {
    detailType: planNoticeDue,
    aggregateId: `notice-${refillReference(notice.planId, notice.fill)}`,
    detail: notice,
  });

/**
 * Tells the patient once more that the check-in is past due, as a work item's answer asks. The caller holds the lock of
 * the plan. Idempotent: the reminder gives the item another subject, and closes it.
 * @returns why not; null if it is sent
 */
export async function remindOfCheckIn(
  sql: Queryable,
  plan: Plan,
  { fact, ...day }: BusinessDay & { fact: string },
): Promise<string | null> {
  if (plan.status !== 'active') return `Plan is ${plan.state}`;
  if (plan.waiting.every(({ what }) => what !== 'check_in')) return 'No check-in is waited for';
  if (fact !== missingFact(plan)) return null;
  const told = { noticedFill: plan.fill, reminders: plan.reminders + 1, remindedOn: day.today };
  await sql`update orchestrator.plan set ${sql(told)} where id = ${plan.id}`;
  await publishNotice(sql, { planId: plan.id, fill: plan.fill, reminder: told.reminders });
  await tellOfPlan(sql, { ...plan, ...told }, day);
  return null;
}

/** A resume has moved the fill to its own day: the days of the notices begin anew (D127). */
export async function tellAnew(sql: Queryable, plan: Plan): Promise<Plan> {
  const told = { noticed: 0, noticeRound: plan.noticeRound + 1, remindedOn: null };
  await sql`update orchestrator.plan set ${sql(told)} where id = ${plan.id}`;
  return { ...plan, ...told };
}

interface Treatment {
  medication: string;
  dosage: string | null;
}

/** The treatment of a fill and of the one that was sent before it; undefined if there is none, or it is the same. */
export async function findTreatmentChange(
  sql: Queryable,
  planId: string,
  n: number,
): Promise<{ from: Treatment; to: Treatment } | undefined> {
  const fills = await sql<(Treatment & { n: number })[]>`
    select n, medication, dosage from orchestrator.plan_fill
    where plan_id = ${planId} and (n = ${n} or (n < ${n} and counted_at is not null and cancelled_at is null))
    order by n desc
    limit 2
  `;
  const [to, from] = fills;
  if (to?.n !== n || !from) return undefined;
  return to.medication === from.medication && to.dosage === from.dosage ? undefined : { from, to };
}

/** Publishes that a fill has another treatment than the last, in the transaction that counts it (D127). */
export async function publishTreatmentChange(sql: Queryable, planId: string, n: number): Promise<void> {
  if (!(await findTreatmentChange(sql, planId, n))) return;
  await publishEvent(sql, 'orchestrator', {
    detailType: treatmentChanged,
    aggregateId: `notice-${refillReference(planId, n)}`,
    detail: { planId, n },
  });
}
