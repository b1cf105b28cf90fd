import { setTimeout as sleep } from 'node:timers/promises';
import { bearer } from '../../cli/admin.js';
import { ask } from '../../cli/lists.js';
import type { DevJson } from '../dev-json.js';
import { cents, finding, type Finding, holds, list } from './judge.js';
import { mailsTo, newest, sandbox, until } from './outside.js';
import { type FinishedRun, watchRun } from './watch-run.js';

/** What must stand in everyone's books once a story is over. */
export interface Ending {
  /** At the pharmacies, oldest first, as their book has them: `pharmacy_a cancelled`. */
  orders: string[];
  /** The same as the router has them. */
  router: string[];
  /** Of the task, oldest first, with warnings. */
  runs: string[];
  chargedCents: number[];
  refundedCents: number[];
  /** The subjects of the mails that the patient has got, oldest first. */
  told: string[];
  /** What people were asked, as the worklist has it. */
  workItems: string[];
}

interface Order {
  pharmacy: string;
  orderId: string;
  idempotencyKey: string;
  at: string;
  moves: { status: string; at: string }[];
  holds: { id: string; state: string; answer: string | null }[];
}
interface Payment {
  amountCents: number;
  status: string;
  metadata: Record<string, string>;
}
interface Run {
  status: string;
  warnings: string[];
  paidAt?: string;
  result: { submissionId?: string } | null;
}

const pollMs = 200;
/** Mails and events take a moment; what is not as expected by then is reported. */
const settledWithinMs = 30_000;
const medication = 'semaglutide';

/** One prescription of one patient: what a story may do with it, and what everyone has of it in the end. */
export class Stage {
  /** The orders that were made for it, by the router's ids. */
  private readonly submissionIds: string[] = [];

  constructor(
    readonly dev: DevJson,
    readonly of: { taskId: string; emrPatientId: string; email: string },
    readonly say: (text: string) => void,
  ) {}

  async approve(): Promise<FinishedRun> {
    const { taskId, emrPatientId } = this.of;
    const run = await watchRun(this.dev, { taskId, emrPatientId, medication }, () => undefined);
    this.say(`Approved: ${run.status}${run.error === null ? '' : `, ${run.error}`}`);
    this.ordered(run.result?.submissionId);
    return run;
  }

  /** Notes an order of the task, undefined where a run made none. */
  ordered(submissionId: string | undefined): void {
    if (submissionId !== undefined) this.submissionIds.push(submissionId);
  }

  /** A request to the orchestrator about the task. */
  request<T>(what: 'cancel' | 'reroute', body: object): Promise<T> {
    const { taskId } = this.of;
    const call = { service: 'orchestrator', method: 'POST', path: `/orchestrator/${what}` } as const;
    return ask<T>({ ...call, body: JSON.stringify({ taskId, ...body }) });
  }

  /** The router's record of the newest order, and what is below it. */
  router<T>(below = '', body?: object): Promise<T> {
    const submissionId = this.submissionIds.at(-1);
    if (submissionId === undefined) throw new Error('Nothing was ordered');
    return this.ofRouter<T>(submissionId, below, body);
  }

  /** Tells the pharmacy what becomes of the newest order. */
  async atPharmacy(what: 'hold' | 'release' | 'status', body: object): Promise<void> {
    const order = (await this.orders()).at(-1);
    if (!order) throw new Error('No pharmacy has the order');
    await sandbox(this.dev, `/pharmacies/${order.pharmacy}/orders/${order.orderId}/${what}`, body);
  }

  /** What the pharmacies have, oldest first. */
  async orders(): Promise<Order[]> {
    const { orders } = await sandbox<{ orders: Order[] }>(this.dev, `/orders?${newest}`);
    return orders
      .filter(({ idempotencyKey }) => this.submissionIds.some((id) => idempotencyKey.startsWith(id)))
      .sort((one, other) => one.at.localeCompare(other.at));
  }

  async runs(): Promise<Run[]> {
    const path = `/orchestrator/status/${this.of.taskId}`;
    const { runs } = await ask<{ runs: Run[] }>({ service: 'orchestrator', method: 'GET', path });
    return runs.reverse();
  }

  mail(subject: string): Promise<{ text: string }> {
    return until(`the mail '${subject}' is there`, async () =>
      (await mailsTo(this.dev, this.of.email)).find((one) => one.subject === subject),
    );
  }

  /** Asks everyone until all is as expected. @returns what was found at last */
  async check(expected: Ending): Promise<Finding[]> {
    const deadline = Date.now() + settledWithinMs;
    for (;;) {
      const found = this.findings(expected, await this.ending());
      if (found.every(holds) || Date.now() >= deadline) return found;
      await sleep(pollMs);
    }
  }

  private findings(expected: Ending, found: Ending & { liveAtOnce: number }): Finding[] {
    return [
      finding('orders', list(expected.orders, 'none'), list(found.orders, 'none')),
      finding('live orders at once, at most', 1, found.liveAtOnce),
      finding('router', list(expected.router, 'none'), list(found.router, 'none')),
      finding('runs', list(expected.runs, 'none'), list(found.runs, 'none')),
      finding('charged', cents(expected.chargedCents), cents(found.chargedCents)),
      finding('refunded', cents(expected.refundedCents), cents(found.refundedCents)),
      // Two messages that one step causes may overtake each other.
      finding(
        'patient told',
        list([...expected.told].sort(), 'nothing'),
        list([...found.told].sort(), 'nothing'),
      ),
      finding('people asked', list(expected.workItems, 'nobody'), list(found.workItems, 'nobody')),
    ];
  }

  private async ending(): Promise<Ending & { liveAtOnce: number }> {
    const { taskId, email } = this.of;
    const [orders, router, runs, { charges }, { refunds }, mails, { workItems }] = await Promise.all([
      this.orders(),
      Promise.all(this.submissionIds.map((id) => this.ofRouter<{ pharmacy: string; status: string }>(id))),
      this.runs(),
      sandbox<{ charges: Payment[] }>(this.dev, `/charges?${newest}`),
      sandbox<{ refunds: Payment[] }>(this.dev, `/refunds?${newest}`),
      mailsTo(this.dev, email),
      this.workItems(),
    ]);
    const ofTask = (payments: Payment[]) =>
      payments
        .filter(({ status, metadata }) => status === 'succeeded' && metadata['task_id'] === taskId)
        .map(({ amountCents }) => amountCents);
    return {
      orders: orders.map(({ pharmacy, moves }) => `${pharmacy} ${moves.at(-1)?.status ?? 'received'}`),
      liveAtOnce: mostAtOnce(orders),
      router: router.map(({ pharmacy, status }) => `${pharmacy} ${status}`),
      runs: runs.map(runText),
      chargedCents: ofTask(charges),
      refundedCents: ofTask(refunds),
      told: mails.map(({ subject }) => subject),
      workItems: workItems.map(({ kind, state, closedBy }) => `${kind} ${state} by ${closedBy ?? 'nobody'}`),
    };
  }

  private async workItems() {
    const path = `/v1/work-items?taskId=${this.of.taskId}`;
    const call = { service: 'worklist', method: 'GET', path, headers: await bearer() } as const;
    return ask<{ workItems: { kind: string; state: string; closedBy: string | null }[] }>(call);
  }

  private ofRouter<T>(submissionId: string, below = '', body?: object): Promise<T> {
    // A submission shows itself to the client that made it, which is the orchestrator.
    const call = {
      service: 'router',
      key: 'orchestrator',
      path: `/rx/prescriptions/${submissionId}${below}`,
    };
    return ask<T>({
      ...call,
      service: 'router',
      method: body ? 'POST' : 'GET',
      ...(body && { body: JSON.stringify(body) }),
    });
  }
}

const runText = ({ status, warnings, paidAt }: Run): string =>
  [status, ...warnings, ...(paidAt === undefined ? [] : ['paid since'])].join(' ');

/** By the pharmacies' one clock: an order is live from its placing until it is cancelled. */
function mostAtOnce(orders: readonly Order[]): number {
  const liveAt = (instant: string) =>
    orders.filter(({ at, moves }) => {
      const cancelled = moves.find(({ status }) => status === 'cancelled');
      return at <= instant && (cancelled === undefined || cancelled.at > instant);
    }).length;
  return Math.max(0, ...orders.map(({ at }) => liveAt(at)));
}
