import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { createRefillCheckActivities, type DueRefill } from '../../activities/orchestrator/refill-checks.js';
import { type Claimed, createTaskActivities } from '../../activities/orchestrator/tasks.js';
import type { ServiceContext } from '../../api/context.js';
import { createSql, type Sql } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { orchestratorToday, setClock } from '../../db/orchestrator/clock.js';
import { settlePlan } from '../../db/orchestrator/plan-changes.js';
import { findPlan, insertPlan, lockPlan } from '../../db/orchestrator/plans.js';
import { lockRefillsOf } from '../../db/orchestrator/refill-schedules.js';
import { beginPlan } from '../../domain/orchestrator/plans.js';
import { refillReference, refillTaskId } from '../../domain/orchestrator/refills.js';
import { type Random, seeded } from '../helpers/random.js';
import { sendDueFill } from '../../workers/orchestrator/plan-fills.js';
import type { WorkerContext } from '../../workers/context.js';
import { refillWorkflowId } from '../../workflows/ids.js';
import { type Act, choose, courseOf, createActs, dateOf, dosageOf, type Life, wrong } from './plan-lives.js';
import { PlanModel } from './plan-model.js';

const timeZone = 'UTC';
const year = 365;
/** Plans that act at once. */
const atOnce = 8;
/** `MODEL_SEED` makes other plans. */
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_127);

type Refill = Omit<DueRefill, 'position'>;

export interface Year {
  plans: number;
  orders: number;
  /** How often each thing was done. */
  acts: Record<Act, number>;
}

/**
 * Lives plans for a year, day by day, in a database of their own: the product's transactions beside a model.
 * @param spoil breaks the database on purpose
 * @throws what the model finds wrong, with the story of that plan
 */
export async function livePlans(
  databaseUrl: string,
  plans: number,
  spoil: (sql: Sql) => Promise<unknown> = async () => undefined,
): Promise<Year> {
  const name = `plans_${randomUUID().replaceAll('-', '')}`;
  const owner = createSql(databaseUrl, { applicationName: 'test', max: 1 });
  await owner.unsafe(`create database ${name}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  await migrate({ databaseUrl: url.href, serviceDatabaseUrls: {} });
  await owner.unsafe(`alter database ${name} set synchronous_commit = off`);
  const sql = createSql(url.href, { applicationName: 'test', max: atOnce });
  try {
    await spoil(sql);
    return await live(sql, plans);
  } finally {
    await sql.end();
    await owner.unsafe(`drop database ${name}`);
    await owner.end();
  }
}

async function live(sql: Sql, plans: number): Promise<Year> {
  const { dawn, begin, answer, check, acts } = worldOf(sql);
  await dawn(0);
  const lives = await Promise.all(Array.from({ length: plans }, (_, index) => begin(seeded(seed, index))));
  for (let day = 0; day < year; day += 1) {
    await dawn(day);
    // Some answer before the check of the day, and some after it.
    const early = new Set(lives.filter(({ random }) => random.chance(0.5)));
    await inTurns(early, answer);
    // The check is late on some days, and runs twice on others.
    if (day % 11 !== 7) await check();
    if (day % 5 === 0) await check();
    await inTurns(
      lives.filter((life) => !early.has(life)),
      answer,
    );
  }
  const orders = lives.reduce((sum, { orders }) => sum + orders.length, 0);
  return { plans: lives.length, orders, acts };
}

/** Each at its turn, some at once. */
async function inTurns<T>(all: Iterable<T>, act: (one: T) => Promise<void>): Promise<void> {
  const queue = [...all].values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const one of queue) await act(one);
    }),
  );
}

function worldOf(sql: Sql) {
  const context = {
    sql,
    temporal: { withDeadline: (_: number, act: () => unknown) => act(), workflow: { start, getHandle } },
    config: {
      ...{ NODE_ENV: 'development', BUSINESS_TIMEZONE: timeZone },
      service: () => ({ REFILLS_WHEN_UNPAID: 'send' }),
    },
  } as unknown as WorkerContext & ServiceContext;
  const today = orchestratorToday(context);
  const tasks = createTaskActivities({ sql, today, timeZone });
  const days = { noticeDays: 0, askDays: 10, graceDays: 7 };
  const checks = createRefillCheckActivities({ sql, today, timeZone, whenUnpaid: 'send', ...days });
  const lives = new Map<string, Life>();
  let now = 0;
  const act = createActs(context, () => now);
  const acts = Object.fromEntries(Object.keys(act).map((name) => [name, 0])) as Record<Act, number>;
  /** The runs of fills by their ids, as Temporal keeps them: one may be open, and none follows a completed one. */
  const [open, completed] = [new Map<string, Promise<void>>(), new Set<string>()];

  return { dawn, begin, answer, check, acts };

  async function dawn(day: number): Promise<void> {
    now = day;
    await setClock(sql, dateOf(day));
    for (const life of lives.values()) life.hasFailed = false;
  }

  /** Begins a plan of random phases, as its route does. */
  async function begin(random: Random): Promise<Life> {
    const course = courseOf(random);
    const { startsOn, prescribedUntil, running } = course;
    const position = beginPlan({
      phases: course.phases.map(({ supply, ...phase }, index) => ({
        ...{ ...phase, dosage: dosageOf(index), daysSupply: supply },
        medication: index % 2 === 0 ? 'semaglutide' : 'tirzepatide',
      })),
      startDate: dateOf(startsOn),
      prescribedUntil: dateOf(prescribedUntil),
      running: running && { ...running, phase: running.phase + 1, lastFillDate: dateOf(running.on) },
    });
    const [planRef, emrPatientId] = [randomUUID(), randomUUID()];
    const id = await sql.begin(async (sql) => {
      await lockRefillsOf(sql, emrPatientId);
      const own = {
        client: '',
        planRef,
        bodyHash: '',
        emrPatientId,
        treatment: 'weight',
        requestedBy: 'key',
      };
      const id = await insertPlan(sql, { ...own, position: position! }, null);
      const plan = (await lockPlan(sql, id))!;
      await settlePlan(sql, plan, plan, { today: dateOf(now), timeZone });
      return id;
    });
    const [model, story] = [new PlanModel(course), [JSON.stringify(course)]];
    const life: Life = { id, model, random, orders: [], hasFailed: false, story };
    lives.set(id, life);
    model.judge(now);
    await settle(life);
    return life;
  }

  /** One thing that somebody does, or nothing. */
  async function answer(life: Life): Promise<void> {
    if (life.model.status === 'stopped') return;
    const name = choose(life, now);
    if (name === undefined) return;
    acts[name] += 1;
    life.story.push(`${now}: ${name}`);
    await act[name](life);
    await (name === 'replace' || name === 'decideUnasked' ? compare(life) : settle(life));
  }

  /** Does the workers' part after a committed change; then a due fill has gone out if it may. */
  async function settle(life: Life): Promise<void> {
    await sendDueFill(context, life.id);
    await Promise.all(open.values());
    if (life.model.mustSend(now) && !life.hasFailed) wrong(life, 'a fill is lost');
    await compare(life);
  }

  /** The plan must stand where the model says. */
  async function compare(life: Life): Promise<void> {
    const { n, dueOn, phase, sent, fills, waiting, status } = life.model;
    const plan = await findPlan(sql, life.id);
    const found = plan && {
      ...{ status: plan.status, n: plan.fill, dueOn: plan.nextFillDate, phase: plan.phase - 1 },
      sent: plan.phases.map(({ sent }) => sent),
      fills: plan.phases.map(({ fills }) => fills),
      waiting: plan.waiting.map(({ what }) => what),
    };
    const stored = status === 'stopped' ? 'cancelled' : status;
    const expected = { status: stored, n, dueOn: dateOf(dueOn), phase, sent, fills, waiting };
    if (!isDeepStrictEqual(found, expected))
      wrong(life, `it is ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
  }

  /** The daily check, as its workflow runs it. */
  async function check(): Promise<void> {
    const checkId = randomUUID();
    const total = await checks.listDueSchedules({ checkId });
    while (await checks.announceRefills({}));
    for (const { model } of lives.values()) if (model.status === 'active') model.judge(now, 'check');
    const due = [...lives.values()].filter(({ model }) => model.status === 'active' && model.dueOn <= now);
    for (let after = 0; after < total; after += 20) {
      const page = await checks.judgePage({ checkId, after, size: 20 });
      for (const { position: _position, ...refill } of page)
        run(refillWorkflowId(refill.scheduleId, refill.n), refill);
      await Promise.all(open.values());
    }
    for (const life of due) if (life.model.mustSend(now) && !life.hasFailed) wrong(life, 'a fill is lost');
    await inTurns(due, compare);
  }

  async function start(_: string, { workflowId, args: [refill] }: { workflowId: string; args: [Refill] }) {
    if (!run(workflowId, refill)) throw new WorkflowExecutionAlreadyStartedError('', workflowId, '');
    return { firstExecutionRunId: workflowId };
  }
  function getHandle() {
    return { describe: async () => ({ status: { name: 'RUNNING' }, runId: '', raw: {} }) };
  }

  /** Starts the run of a fill, if it may have one. */
  function run(workflowId: string, refill: Refill): boolean {
    if (open.has(workflowId) || completed.has(workflowId)) return false;
    const filled = fill(workflowId, refill).then((isSent) => {
      open.delete(workflowId);
      if (isSent) completed.add(workflowId);
    });
    // Its waiter gets the error.
    filled.catch(() => undefined);
    open.set(workflowId, filled);
    return true;
  }

  /** The run of a fill, whose activities Temporal may try twice. @returns whether it is sent */
  async function fill(workflowId: string, { scheduleId, n, ...refill }: Refill): Promise<boolean> {
    const life = lives.get(scheduleId)!;
    const { model, random, story } = life;
    const runId = randomUUID();
    const [taskId, reference] = [refillTaskId(scheduleId), refillReference(scheduleId, n)];
    const claim = {
      kind: 'refill' as const,
      taskId,
      reference,
      runId,
      workflowId,
      detailsHash: '',
      ...refill,
    };
    const times = random.chance(0.1) ? 2 : 1;
    let claimed: Claimed | undefined;
    try {
      for (let tries = 0; tries < times; tries += 1) claimed = await tasks.claimTask(claim);
    } catch (error) {
      story.push(`${now}: fill ${n} is not claimed: ${String(error)}`);
      return false;
    }
    const isTaken = !random.chance(0.04);
    story.push(`${now}: fill ${n} is ${isTaken ? 'ordered' : 'refused'}`);
    const texts = { medication: refill.medication, patientName: '', state: 'WA' };
    const result = { success: isTaken, completedSteps: [], warnings: [], ...texts };
    const failed = { failedStep: 'pharmacy_submission' as const, error: 'No answer' };
    if (!isTaken) {
      life.hasFailed = true;
      await tasks.recordOutcome({ runId, reference, result: { ...result, ...failed } });
      return false;
    }
    const dosage = claimed && 'dosage' in claimed ? claimed.dosage : undefined;
    if (!model.mustSend(now)) wrong(life, `fill ${n} is ordered past its gate: ${model.gate(now).join()}`);
    if (model.newest?.on === now) wrong(life, 'there are two fills on a day');
    if (life.orders.includes(reference)) wrong(life, `fill ${n} has two orders`);
    if (n !== model.n || dosage !== dosageOf(model.phase)) wrong(life, `fill ${n} is of another phase`);
    life.orders.push(reference);
    for (let tries = 0; tries < times; tries += 1)
      await tasks.recordOutcome({ runId, reference, result, refill: { scheduleId, n } });
    model.send(now);
    return true;
  }
}
