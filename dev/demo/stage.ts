import { bearer } from '../../cli/admin.js';
import { ask } from '../../cli/lists.js';
import type { DevJson } from '../dev-json.js';
import { cents, finding, type Finding, list, settledFindings } from './judge.js';
import { mailsTo, newest, sandbox, until } from './outside.js';
import { type FinishedRun, watchRun } from './watch-run.js';

/** The expected records of all services at the end of a story. */
export interface Ending {
  /** Orders at the pharmacies, oldest first, such as `pharmacy_a cancelled`. */
  orders: string[];
  /** The same orders at the router. */
  router: string[];
  /** Runs of the task, oldest first, with warnings. */
  runs: string[];
  chargedCents: number[];
  refundedCents: number[];
  /** Subjects of the e-mails to the patient, oldest first. */
  told: string[];
  /** Work items. */
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

const medication = 'semaglutide';

/** One prescription of one patient: the actions of a story, and the records of all services at its end. */
export class Stage {
  /** The orders of the prescription, by the router's ids. */
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

  /** Adds an order of the task; undefined if the run made none. */
  ordered(submissionId: string | undefined): void {
    if (submissionId !== undefined) this.submissionIds.push(submissionId);
  }

  request<T>(what: 'cancel' | 'reroute', body: object): Promise<T> {
    const { taskId } = this.of;
    const call = { service: 'orchestrator', method: 'POST', path: `/orchestrator/${what}` } as const;
    return ask<T>({ ...call, body: JSON.stringify({ taskId, ...body }) });
  }

  /** The router's record of the newest order, or a path below it. */
  router<T>(below = '', body?: object): Promise<T> {
    const submissionId = this.submissionIds.at(-1);
    if (submissionId === undefined) throw new Error('Nothing was ordered');
    return this.ofRouter<T>(submissionId, below, body);
  }

  /** Sets the state of the newest order at the pharmacy. */
  async atPharmacy(what: 'hold' | 'release' | 'status', body: object): Promise<void> {
    const order = (await this.orders()).at(-1);
    if (!order) throw new Error('No pharmacy has the order');
    await sandbox(this.dev, `/pharmacies/${order.pharmacy}/orders/${order.orderId}/${what}`, body);
  }

  /** The orders at the pharmacies, oldest first. */
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

  /** Polls all services until the records match. @returns the last records */
  check(expected: Ending): Promise<Finding[]> {
    return settledFindings(async () => this.findings(expected, await this.ending()));
  }

  private findings(expected: Ending, found: Ending & { liveAtOnce: number }): Finding[] {
    return [
      finding('orders', list(expected.orders, 'none'), list(found.orders, 'none')),
      finding('live orders at once, at most', 1, found.liveAtOnce),
      finding('router', list(expected.router, 'none'), list(found.router, 'none')),
      finding('runs', list(expected.runs, 'none'), list(found.runs, 'none')),
      finding('charged', cents(expected.chargedCents), cents(found.chargedCents)),
      finding('refunded', cents(expected.refundedCents), cents(found.refundedCents)),
      // Two messages of one step may arrive in either order.
      finding(
        'patient notified',
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
    // Only the client that made a submission can read it, and that is the orchestrator.
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

/** By the pharmacies' clock, an order is live until it is cancelled. */
function mostAtOnce(orders: readonly Order[]): number {
  const liveAt = (instant: string) =>
    orders.filter(({ at, moves }) => {
      const cancelled = moves.find(({ status }) => status === 'cancelled');
      return at <= instant && (cancelled === undefined || cancelled.at > instant);
    }).length;
  return Math.max(0, ...orders.map(({ at }) => liveAt(at)));
}
