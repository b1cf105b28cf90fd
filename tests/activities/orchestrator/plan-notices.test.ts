import { afterAll, expect, test } from '@jest/globals';
import { createPlanNotices } from '../../../activities/orchestrator/plan-notices.js';
import type { ServiceContext } from '../../../api/context.js';
import { planAnswers } from '../../../api/orchestrator/plan-item-answers.js';
import type { AnswerHandler } from '../../../api/plugins/work-items.js';
import { runningPlan } from '../../api/orchestrator/plans.js';
import { closeParts, db } from '../real-parts.js';

afterAll(closeParts);

const [told, silent] = [true, false].map((isOn) => createPlanNotices({ sql: db, isOn }));

test('PLAN_NOTICES=off ends the notices before a fill and of another treatment', async () => {
  const plan = await runningPlan();
  const due = { planId: plan.id, fill: 2, round: 0, stage: 3 as const };
  expect(await told!.readPlanNotice(due)).toMatchObject({ variables: { dueDate: plan.nextFillDate } });
  expect(await silent!.readPlanNotice(due)).toBeUndefined();
  await db`
    insert into orchestrator.plan_fill (plan_id, n, phase, is_first, medication, dosage, days_supply, counted_at)
    values (${plan.id}, 2, 2, true, 'semaglutide', 'inject 20 units weekly', 30, now())
  `;
  expect(await told!.readTreatmentChange(plan.id, 2)).toMatchObject({
    variables: { change: expect.stringContaining('inject 20 units weekly') },
  });
  expect(await silent!.readTreatmentChange(plan.id, 2)).toBeUndefined();
});

test('PLAN_NOTICES=off leaves the work items, whose remind is refused', async () => {
  const plan = await runningPlan();
  const config = { service: () => ({ PLAN_NOTICES: 'off' }) };
  const { check_in_missing } = planAnswers({ sql: db, config } as unknown as ServiceContext);
  const given = { item: { fact: '', refersTo: { planId: plan.id } }, by: 'root@scriptrail.test' };
  expect(await check_in_missing.remind!(given as unknown as Parameters<AnswerHandler>[0])).toBe(
    'Notices of plans are turned off',
  );
  const [stored] = await db<
    { reminders: number }[]
  >`select reminders from orchestrator.plan where id = ${plan.id}`;
  expect(stored).toEqual({ reminders: 0 });
});
