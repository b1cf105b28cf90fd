import { randomUUID } from 'node:crypto';
import { HttpError } from '../../api/http-errors.js';
import type { ServiceContext } from '../../api/context.js';
import { decidePlan, renewPlan } from '../../api/orchestrator/plan-answer-routes.js';
import type { Queryable } from '../../db/client.js';
import { cancelTask } from '../../db/orchestrator/cancellations.js';
import type { BusinessDay } from '../../db/orchestrator/clock.js';
import { addCheckIn, judgeChangedPlan, stopPlan } from '../../db/orchestrator/plan-changes.js';
import { lockPlan, type Plan } from '../../db/orchestrator/plans.js';
import { changeNextRefills, lockSchedule } from '../../db/orchestrator/refill-schedules.js';
import { claimReplacement, recordReplacementOrder } from '../../db/orchestrator/replacements.js';
import { changeStatus } from '../../db/orchestrator/schedule-status.js';
import { addDays } from '../../domain/calendar.js';
import { dateAfterSkip, refillReference } from '../../domain/orchestrator/refills.js';
import type { Random } from '../helpers/random.js';
import type { Course, PlanModel } from './plan-model.js';

/** Days of a leap year. */
export const dateOf = (day: number) => addDays('2028-01-01', day);
export const dosageOf = (phase: number) => `inject ${10 * (phase + 1)} units weekly`;

export interface Life {
  id: string;
  model: PlanModel;
  random: Random;
  /** The references under which the pharmacies have orders. */
  orders: string[];
  /** The run of a fill failed today. */
  hasFailed: boolean;
  /** The story, for the reader of a failure. */
  story: string[];
}

export function wrong({ id, story }: Life, what: string): never {
  throw new Error([`Plan ${id}: ${what}`, ...story].join('\n'));
}

const whole = (random: Random, from: number, to: number) => Math.floor(random.between(from, to + 1));

/** A course of random phases; every fourth began elsewhere. */
export function courseOf(random: Random): Course {
  const phases = Array.from({ length: whole(random, 1, 5) }, () => ({
    fills: whole(random, 1, 4),
    supply: random.oneOf([7, 14, 28, 30, 56, 84, 90]),
    checkIn: random.oneOf(['none', 'phase', 'fill'] as const),
    decision: random.oneOf(['none', 'phase'] as const),
  }));
  const startsOn = random.chance(0.5) ? 0 : whole(random, 1, 20);
  const prescribedUntil = startsOn + random.oneOf([60, 180, 365, 400]);
  const phase = whole(random, 0, phases.length - 1);
  const most = phases[phase]!.fills - (phase === phases.length - 1 ? 1 : 0);
  const sent = whole(random, 0, most);
  const isRunning = random.chance(0.25) && (phase > 0 || sent > 0);
  const running = isRunning ? { phase, sent, on: -whole(random, 1, 60) } : undefined;
  return { phases, startsOn, prescribedUntil, ...(running && { running }) };
}

/** An act about a plan on a day; undefined: none. */
export function choose({ model, random, orders, id }: Life, day: number): Act | undefined {
  const { waiting, newest, status } = model;
  const isRecent = newest !== undefined && day - newest.on < 30;
  if (status === 'completed') return isRecent && random.chance(0.02) ? 'cancel' : undefined;
  const isReplaced = newest && orders.includes(`${refillReference(id, newest.n)}~1`);
  const shares: [Act, number][] = [
    ['decide', waiting.includes('decision') ? 0.15 : 0],
    ['renew', waiting.includes('renewal') ? 0.1 : 0.001],
    ['checkIn', waiting.includes('check_in') ? 0.12 : model.dueOn - day <= 14 ? 0.02 : 0],
    ['decideUnasked', waiting.includes('decision') ? 0 : 0.003],
    ['skip', 0.003],
    ['move', 0.005],
    ['pause', status === 'active' ? 0.004 : 0],
    ['resume', status === 'paused' ? 0.06 : 0],
    ['stop', 0.001],
    ['cancel', isRecent ? 0.006 : 0],
    ['replace', isRecent && !isReplaced ? 0.006 : 0],
  ];
  let left = random.next();
  for (const [act, share] of shares) if ((left -= share) < 0) return act;
  return undefined;
}

export type Act = keyof ReturnType<typeof createActs>;

/** Each act in the transaction of its route, and in the model. */
export function createActs(context: ServiceContext, now: () => number) {
  const { sql } = context;
  const day = (): BusinessDay => ({ today: dateOf(now()), timeZone: 'UTC' });
  const locked = (id: string, change: (sql: Queryable, plan: Plan) => Promise<unknown>) =>
    sql.begin(async (sql) => {
      await change(sql, (await lockPlan(sql, id))!);
    });
  const change = ({ id }: Life, from: 'active' | 'paused', to: 'active' | 'paused') =>
    locked(id, (sql) => changeStatus(sql, id, { from: [from], to, day: day(), requestedBy: 'key' }));
  const decide = ({ id }: Life, phase: number) =>
    decidePlan(context, id, { phase: phase + 1, by: randomUUID(), client: '' });

  return {
    async checkIn({ id, model, random }: Life) {
      const report = {
        flagged: random.chance(0.15),
        daysOnHand: random.chance(0.3) ? whole(random, 0, 40) : null,
      };
      await locked(id, (sql, plan) => addCheckIn(sql, plan, { answers: '{}', ...report }, day()));
      model.checkIn(now(), report);
    },

    async decide(life: Life) {
      const { model, random } = life;
      const phase = random.chance(0.6) ? model.phase : whole(random, 0, model.fills.length - 1);
      await decide(life, phase);
      model.decide(now(), phase);
    },

    async decideUnasked(life: Life) {
      const error = await decide(life, 0).catch((error: unknown) => error);
      if (!(error instanceof HttpError && error.message === 'Nothing to decide'))
        wrong(life, 'a decision was taken that nobody asked for');
    },

    async renew({ id, model, random }: Life) {
      const until = Math.max(now(), model.dueOn) + whole(random, 0, 200);
      await renewPlan(context, id, { prescribedUntil: dateOf(until), client: '' });
      model.renew(now(), until);
    },

    async skip({ id, model }: Life) {
      await sql.begin(async (sql) => {
        const schedule = await lockSchedule(sql, id);
        const nextFillDate = dateAfterSkip(schedule!, day().today);
        await changeNextRefills(sql, id, { skip: { reason: null }, nextFillDate }, 'key');
        await judgeChangedPlan(sql, id, day());
      });
      model.move(now(), Math.max(model.dueOn, now()) + model.next().supply);
    },

    async move({ id, model, random }: Life) {
      const to = Math.max(model.earliest(), now()) + whole(random, 0, 30);
      await sql.begin(async (sql) => {
        await lockSchedule(sql, id);
        await changeNextRefills(sql, id, { nextFillDate: dateOf(to) }, 'key');
        await judgeChangedPlan(sql, id, day());
      });
      model.move(now(), to);
    },

    async pause(life: Life) {
      await change(life, 'active', 'paused');
      life.model.pause(now());
    },

    async resume(life: Life) {
      await change(life, 'paused', 'active');
      life.model.resume(now());
    },

    async stop({ id, model }: Life) {
      await locked(id, (sql, plan) =>
        stopPlan(sql, plan, { ...day(), reason: 'Moved away', requestedBy: 'key' }),
      );
      model.stop();
    },

    /** The pharmacy has given the order of the newest fill back. */
    async cancel({ id, model }: Life) {
      const taskId = refillReference(id, model.newest!.n);
      await cancelTask(sql, { taskId, submissionId: null, day: day() });
      model.cancelNewest(now());
    },

    /** The parcel of the newest fill is lost: another order, and no fill. */
    async replace(life: Life) {
      const taskId = refillReference(life.id, life.model.newest!.n);
      const asked = { reason: 'lost', paidBy: 'pharmacy', note: null, shipTo: null } as const;
      const claimed = await claimReplacement(sql, {
        ...{
          taskId,
          ...asked,
          pharmacy: 'pharmacy_a',
          sourceSubmissionId: randomUUID(),
          requestedBy: 'key',
          requestKey: null,
        },
      });
      if (claimed.state !== 'claimed') return wrong(life, `its order is not replaced: ${claimed.state}`);
      const { reference } = claimed;
      const placed = { submissionId: randomUUID(), pharmacy: 'pharmacy_a', pharmacyOrderId: reference };
      await recordReplacementOrder(sql, { reference, ...placed });
      life.orders.push(reference);
    },
  };
}
