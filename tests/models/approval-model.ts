import { isDeepStrictEqual } from 'node:util';

/** `processing` is said whatever the order has come to; `again` repeats the oldest news, late and out of order. */
export const commands = ['approve', 'deny', 'cancel', 'processing', 'shipped', 'delivered', 'again'] as const;
export type Command = (typeof commands)[number];

/** The answer to a client or to the pharmacy. */
export interface Told {
  command: Command;
  /** Commands of one batch overlap. */
  batch: number;
  /** 0: nothing was sent, since the pharmacy has no order to report on, or has cancelled it. */
  status: number;
  /** A refusal's text. */
  error?: string;
  isReplayed: boolean;
  /** An approval's result, or a cancellation. */
  answer?: unknown;
}

/** The books of the external services at the end, and the callbacks about the order. */
export interface Books {
  orders: { isCancelled: boolean }[];
  charges: number[];
  refunds: number[];
  /** The order's states, as the router made them known. */
  states: string[];
  /** The task's runs, newest first. */
  runs: string[];
}

export interface Task {
  state: 'none' | 'denied' | 'approved' | 'cancelled';
  /** The pharmacy has handed it over: it gives nothing back any more. */
  isGone: boolean;
}

/**
 * The task after a command that was answered like this, by the rules of D32, D101 and D104; undefined where they have
 * no such answer. `meanwhile`: which commands overlap with it, for what only they explain.
 */
function after(task: Task, told: Told, meanwhile: readonly Told[]): Task | undefined {
  const { command, status, error } = told;
  const overlaps = (other: Command) => meanwhile.some((each) => each !== told && each.command === other);
  const isRefused = (why: string) => status === 409 && error === why;
  const isBeingCancelled = isRefused('Task is being cancelled') && overlaps('cancel');
  switch (command) {
    case 'approve':
      if (isRefused('Task is being denied') && overlaps('deny')) return task;
      if (isBeingCancelled) return task;
      if (task.state === 'cancelled') return isRefused('Task was cancelled') ? task : undefined;
      if (status === 200) return { ...task, state: 'approved' };
      // Its run was ended before it had ordered.
      return status === 500 && error === 'Cancelled' && overlaps('cancel')
        ? { ...task, state: 'approved' }
        : undefined;
    case 'deny':
      if (isBeingCancelled) return task;
      if (task.state === 'cancelled') return isRefused('Task was cancelled') ? task : undefined;
      if (task.state === 'approved') return isRefused('Task already approved') ? task : undefined;
      return status === 200 ? { ...task, state: 'denied' } : undefined;
    case 'cancel': {
      if (task.state === 'none') return status === 404 ? task : undefined;
      if (task.state === 'denied') return isRefused('Task was denied') ? task : undefined;
      const { state } = (told.answer ?? {}) as { state?: string };
      const expected = task.state === 'cancelled' || !task.isGone ? 'approved' : 'denied';
      if (status !== 200 || state !== expected) return undefined;
      return expected === 'approved' ? { ...task, state: 'cancelled' } : task;
    }
    default: {
      if (task.state === 'none' || task.state === 'denied') return status === 0 ? task : undefined;
      // A webhook is taken whenever it comes, except before the order's own answer.
      if (status === 404) return overlaps('approve') ? moved(task, command) : undefined;
      if (status === 200) return moved(task, command);
      if (status !== 0) return undefined;
      // There was nothing to repeat, no order yet, or none any more.
      return command === 'again' || task.state === 'cancelled' || overlaps('approve') ? task : undefined;
    }
  }
}

const moved = (task: Task, news: Command): Task =>
  news === 'shipped' || news === 'delivered' ? { ...task, isGone: true } : task;

/** The tasks that some order of these commands leads to, from one of those it may have begun as. */
function afterBatch(begun: readonly Task[], batch: readonly Told[]): Task[] {
  const ends: Task[] = [];
  const go = (task: Task, left: readonly Told[]): void => {
    if (left.length === 0 && !ends.some((end) => isDeepStrictEqual(end, task))) ends.push(task);
    for (const told of left) {
      const next = after(task, told, batch);
      if (next)
        go(
          next,
          left.filter((each) => each !== told),
        );
    }
  };
  for (const task of begun) go(task, batch);
  return ends;
}

/**
 * The possible states of a task, if some order of the overlapping commands explains every answer.
 * @throws naming the first batch that no order explains
 */
export function explain(history: readonly Told[]): Task[] {
  let tasks: Task[] = [{ state: 'none', isGone: false }];
  for (let batch = 0; history.some((told) => told.batch >= batch); batch += 1) {
    const own = history.filter((told) => told.batch === batch);
    const next = afterBatch(tasks, own);
    if (next.length === 0) throw new Error(`No order of them explains ${own.map(inWords).join(', ')}`);
    tasks = next;
  }
  return tasks;
}

const inWords = ({ command, status, error, answer }: Told): string =>
  [command, '->', status, error, (answer as { state?: string } | undefined)?.state].filter(Boolean).join(' ');

/** Repeats of one request are told the same, and say so. @returns what is wrong */
export function unequalRepeats(history: readonly Told[]): string | undefined {
  const approvals = history.filter(({ command, status }) => command === 'approve' && status === 200);
  const [first] = approvals;
  for (const approval of approvals) {
    if (!isDeepStrictEqual(approval.answer, first?.answer)) return 'repeats of an approval had other results';
    if (approval.batch > (first?.batch ?? 0) && !approval.isReplayed) return 'an approval was done again';
  }
  const given = history.filter(
    ({ answer }) => (answer as { state?: string } | undefined)?.state === 'approved',
  );
  if (given.some(({ answer }) => !isDeepStrictEqual(answer, given[0]?.answer)))
    return 'repeats of a cancellation were told something else';
  return undefined;
}

const finals = ['delivered', 'cancelled'];

/** Faults that no time mends. @returns what is wrong */
export function beyondRepair({ orders, charges, refunds, states, runs }: Books): string | undefined {
  if (orders.filter(({ isCancelled }) => !isCancelled).length > 1) return 'two live orders';
  if (orders.length > 1) return 'an order that nobody asked for';
  if (charges.length > 1) return 'charged twice';
  if (refunds.length > charges.length) return 'refunded twice';
  if (runs.filter((status) => status === 'completed').length > 1) return 'two runs of one approval';
  const final = states.findIndex((status) => finals.includes(status));
  if (final >= 0 && states.slice(final).some((status) => status !== states[final]))
    return `moved on after ${states[final]}`;
  return undefined;
}

/** True if the books have come to what the task did. @returns what is missing or too much */
export function unsettled({ state }: Task, { orders, charges, refunds, runs }: Books): string | undefined {
  const isOrdered = orders.length === 1;
  switch (state) {
    case 'none':
    case 'denied':
      if (isOrdered || charges.length > 0) return `${state}, and yet ordered or charged`;
      return runs[0] === (state === 'none' ? undefined : 'denied')
        ? undefined
        : `${state}, and no run says so`;
    case 'approved':
      if (!isOrdered || orders[0]?.isCancelled) return 'approved, and no order';
      if (refunds.length > 0) return 'refunded though nobody cancelled';
      if (charges.length === 0) return 'approved, and not charged';
      return runs[0] === 'completed' ? undefined : 'approved, and no run says so';
    case 'cancelled':
      if (isOrdered && !orders[0]?.isCancelled) return 'cancelled, and the order lives';
      return isDeepStrictEqual(charges, refunds) ? undefined : 'cancelled, and not refunded what was charged';
  }
}
