import {
  listTimelineFacts,
  listTimelineRuns,
  type TimelineFacts,
  type TimelineRun,
} from '../../db/orchestrator/timeline.js';
import { noticeKeys } from '../../domain/orchestrator/notices.js';
import { partyOf, pipelineSteps, stepTitle } from '../../domain/orchestrator/pipeline.js';
import { refillOf, scheduleIdOf } from '../../domain/orchestrator/refills.js';
import { gap, inOrder, type TimelineEntry } from '../../domain/timeline.js';
import { askForPart } from '../../integrations/timeline/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { ServiceContext } from '../context.js';
import { runsAt } from '../run-links.js';
import { withProgress } from './progress.js';

type Told = Pick<TimelineEntry, 'kind' | 'text' | 'state'> & { at: Date; link?: string | null };

/**
 * What happened to a task (D111): the orchestrator's own part, and those of the router, the notification service and
 * the worklist, which are asked at once. Who does not answer is named by a gap.
 * @returns a function that gives undefined for a task without a run
 */
export function createTimeline({ config, sql, temporal, logger }: ServiceContext) {
  const own = config.service('orchestrator');
  const credentials = { keyId: own.ORCHESTRATOR_API_KEY, secret: own.ORCHESTRATOR_API_SECRET };
  const linkOf = runsAt(own);

  return async (taskId: string): Promise<TimelineEntry[] | undefined> => {
    const runs = await withProgress(temporal, await listTimelineRuns(sql, taskId));
    if (runs.length === 0) return undefined;
    const references = unique([
      ...(scheduleIdOf(taskId) === null ? [taskId] : []),
      ...runs.map((run) => run.reference),
    ]);
    const facts = await listTimelineFacts(sql, { taskId, scheduleId: scheduleIdOf(taskId), references });
    const submissionIds = unique(
      [...runs, ...facts.orders, ...facts.shipments].flatMap(({ submissionId }) => submissionId ?? []),
    );
    const orders = facts.orders.map(({ reference }) => reference);
    const keys = noticeKeys({
      submissionIds,
      references,
      runIds: runs.flatMap(({ id, status }) => (status === 'denied' ? [id] : [])),
      tries: new Map(
        runs.flatMap(({ submissionId, noticeAttempt }) =>
          submissionId === null ? [] : [[submissionId, noticeAttempt] as const],
        ),
      ),
      reminders: new Map(facts.recoveries.map(({ reference, messagesSent }) => [reference, messagesSent])),
    });
    const taskIds = unique([taskId, ...runs.map((run) => run.taskId), ...references]);
    const others = await Promise.all([
      partOf('router', own.ROUTER_URL, '/rx/timeline', { references: orders }),
      partOf('notification', own.NOTIFICATION_URL, '/notify/timeline', { keys }),
      partOf('worklist', own.WORKLIST_URL, '/timeline', { taskIds, submissionIds }),
    ]);
    const told = [...runs.flatMap((run) => runEntries(run, linkOf(run.workflowId))), ...factEntries(facts)];
    return inOrder([
      ...told.map(({ at, link = null, ...entry }) => ({
        ...entry,
        at: at.toISOString(),
        service: 'orchestrator',
        link,
      })),
      ...others.flat(),
    ]);
  };

  async function partOf(
    service: string,
    baseUrl: string,
    path: string,
    body: object,
  ): Promise<TimelineEntry[]> {
    try {
      return await askForPart({ party: service, baseUrl, ...credentials }, { method: 'POST', path, body });
    } catch (err) {
      if (!(err instanceof OutboundError)) throw err;
      logger.warn({ err }, 'a service did not tell its part of a timeline');
      return [gap(service, new Date())];
    }
  }
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

/** A run with its steps, and how often other parties were asked in each. Why one failed may name somebody: `status` says it. */
function runEntries(run: TimelineRun, link: string | null): Told[] {
  const { medication, status, completedSteps, failedStep, warnings, createdAt, updatedAt, calls } = run;
  if (status === 'denied') return [{ at: createdAt, kind: 'run', text: 'Denial', state: status, link }];
  const refill = refillOf(run.reference);
  const what = refill ? `Refill ${refill.n} of ${medication}` : `Approval of ${medication}`;
  const steps: Told[] = [];
  let at = createdAt;
  for (const step of pipelineSteps) {
    if (!completedSteps.includes(step) && step !== failedStep) continue;
    const made = calls.filter(({ party }) => party === partyOf[step]);
    at = made.at(-1)?.at ?? at;
    // What was answered is asked for once more only as something else: a step may need several answers.
    const count = made.filter(({ isFault }) => isFault).length + (made.at(-1)?.isFault ? 0 : 1);
    const attempts = count > 1 ? `, ${count} attempts` : '';
    const isWarning = warnings.some((warning) => warning === `${step}_failed`);
    const state = step === failedStep ? 'failed' : isWarning ? 'warning' : 'completed';
    steps.push({ at, kind: 'step', text: stepTitle(step) + attempts, state });
  }
  const end: Told[] =
    status === 'pending' ? [] : [{ at: updatedAt, kind: 'run', text: `${what}: ended`, state: status, link }];
  return [{ at: createdAt, kind: 'run', text: what, state: status, link }, ...steps, ...end];
}

const factEntries = (facts: TimelineFacts): Told[] => [
  ...facts.orders
    .filter(({ n }) => n > 1)
    .map(({ reference, pharmacy, createdAt }) => ({
      at: createdAt,
      kind: 'order' as const,
      text: `Moved${pharmacy === null ? '' : ` to ${pharmacy}`} under the reference ${reference}`,
      state: null,
    })),
  ...facts.charges.flatMap(
    ({ attempt, amountCents, refundedCents, currency, status, at, changedAt }): Told[] => [
      { at, kind: 'charge', text: `Charge ${attempt}: ${amountOf(amountCents, currency)}`, state: status },
      ...(refundedCents === 0
        ? []
        : [
            {
              at: changedAt,
              kind: 'refund' as const,
              text: `Refunded ${amountOf(refundedCents, currency)}`,
              state: refundedCents < amountCents ? 'partial' : 'succeeded',
            },
          ]),
    ],
  ),
  ...facts.recoveries.map(({ state, messagesSent, openedAt }): Told => ({
    at: openedAt,
    kind: 'charge',
    text: `Unpaid: charged again as planned, ${messagesSent} ${messagesSent === 1 ? 'message' : 'messages'}`,
    state,
  })),
  ...facts.shipments.flatMap(shipmentEntries),
  ...facts.cancellations.map(({ state, reason, isAsked, requestedAt }): Told => ({
    at: requestedAt,
    kind: 'cancellation',
    text: `${isAsked ? 'The approval is taken back' : 'The pharmacy has cancelled'}${reason === null ? '' : `, denied: ${reason}`}`,
    state,
  })),
  ...facts.schedules.map(({ medication, status, refillsSent, allowed, nextFillDate, createdAt }): Told => ({
    at: createdAt,
    kind: 'refill',
    text: `Refills of ${medication}: ${refillsSent} of ${allowed} sent, the next on ${nextFillDate}`,
    state: status,
  })),
];

function shipmentEntries(shipment: TimelineFacts['shipments'][number]): Told[] {
  const { state, hasLabel, hasTracking, createdAt, shippedAt, changedAt } = shipment;
  const opened = hasLabel && shippedAt === null ? 'Label made' : 'Shipment';
  const isOver = state === 'delivered' || state === 'cancelled';
  return [
    { at: createdAt, kind: 'shipment', text: opened, state },
    ...(shippedAt === null
      ? []
      : [
          {
            at: shippedAt,
            kind: 'shipment' as const,
            text: hasTracking ? 'Shipped, with a tracking number' : 'Shipped',
            state: 'shipped',
          },
        ]),
    ...(isOver ? [{ at: changedAt, kind: 'shipment' as const, text: `Shipment ${state}`, state }] : []),
  ];
}

const amountOf = (cents: number, currency: string): string =>
  `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`;
