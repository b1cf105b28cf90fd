import { z } from 'zod';
import type { TimelineFacts, TimelineRun } from '../../db/orchestrator/timeline.js';
import { ownTaskId, sourceOf } from '../../domain/clients.js';
import { partyOf, pipelineSteps, stepTitle } from '../../domain/orchestrator/pipeline.js';
import type { Replacement } from '../../domain/orchestrator/replacement.js';
import { refillOf } from '../../domain/orchestrator/refills.js';
import { gap, inOrder, type TimelineEntry } from '../../domain/timeline.js';
import { askForPart } from '../../integrations/timeline/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { App, ServiceContext } from '../context.js';
import { issueErrors, notFound } from '../http-errors.js';
import { runsAt } from '../run-links.js';
import { timeline } from '../timeline.js';
import { readTaskFacts, unique } from './task-facts.js';
import { keyOf } from './whose.js';
import { withProgress } from './progress.js';

type OwnEntry = Pick<TimelineEntry, 'kind' | 'text' | 'state'> & { at: Date; link?: string | null };

/** The timeline of a task with the entries of all services (D111). */
export function timelineRoutes(signed: App, context: ServiceContext): void {
  const timelineOf = createTimeline(context);
  signed.get(
    '/orchestrator/timeline/:taskId',
    {
      config: { access: { action: 'timeline.read' } },
      schema: {
        tags: ['Timeline'],
        security: [{ signature: [] }],
        summary: 'List the events of a task by time',
        description:
          'Combines the entries of all services. A service that does not respond leaves an entry of kind `gap`. Entries contain no patient data. For the task of a schedule, `refill-<scheduleId>`, lists its refills. The reference of an order finds its task.',
        params: z.object({ taskId: z.string() }),
        response: { 200: timeline, ...issueErrors(401, 403, 404, 429, 500, 503) },
      },
    },
    async (request) => {
      const { accessed, params } = request;
      const { taskId } = params;
      const entries = await timelineOf(await keyOf(context.sql, request, taskId), request.whose.client);
      if (!entries) throw notFound('No runs found for this task');
      accessed.records = [taskId];
      return { taskId, entries };
    },
  );
}

/**
 * Collects the orchestrator's entries, and concurrently those of the router, the notification service and the worklist.
 * @returns a function that returns undefined for a task without a run
 */
function createTimeline({ config, sql, temporal, logger }: ServiceContext) {
  const settings = config.service('orchestrator');
  const credentials = { keyId: settings.ORCHESTRATOR_API_KEY, secret: settings.ORCHESTRATOR_API_SECRET };
  const linkOf = runsAt(settings);

  return async (taskId: string, client: string): Promise<TimelineEntry[] | undefined> => {
    const told = await readTaskFacts(sql, taskId);
    if (!told) return undefined;
    const { facts, replacements, submissionIds, references, messageKeys: keys } = told;
    const runs = await withProgress(temporal, told.runs);
    const orders = unique([...facts.orders, ...replacements].map(({ reference }) => reference));
    const taskIds = unique([taskId, ...runs.map((run) => run.taskId), ...references]);
    const others = await Promise.all([
      entriesOf('router', settings.ROUTER_URL, '/rx/timeline', {
        references: orders.map(ownTaskId),
        source: sourceOf(client),
      }),
      entriesOf('notification', settings.NOTIFICATION_URL, '/notify/timeline', { keys }),
      entriesOf('worklist', settings.WORKLIST_URL, '/timeline', {
        taskIds: unique(taskIds.map(ownTaskId)),
        submissionIds,
        ...(client !== '' && { client }),
      }),
    ]);
    const own = [
      ...runs.flatMap((run) => runEntries(run, linkOf(run.workflowId))),
      ...factEntries(facts),
      ...replacements.map(replacementEntry),
    ];
    return inOrder([
      ...own.map(({ at, link = null, ...entry }) => ({
        ...entry,
        at: at.toISOString(),
        service: 'orchestrator',
        link,
      })),
      ...others.flat(),
    ]);
  };

  async function entriesOf(
    service: string,
    baseUrl: string,
    path: string,
    body: object,
  ): Promise<TimelineEntry[]> {
    try {
      return await askForPart({ party: service, baseUrl, ...credentials }, { method: 'POST', path, body });
    } catch (err) {
      if (!(err instanceof OutboundError)) throw err;
      logger.warn({ err }, 'a service did not return its timeline entries');
      return [gap(service, new Date())];
    }
  }
}

/** A run and its steps, with the number of external calls. Error texts can name a person, so they are left out. */
function runEntries(run: TimelineRun, link: string | null): OwnEntry[] {
  const { medication, status, completedSteps, failedStep, warnings, createdAt, updatedAt, calls } = run;
  if (status === 'denied') return [{ at: createdAt, kind: 'run', text: 'Denial', state: status, link }];
  const refill = refillOf(run.reference);
  const what = refill ? `Refill ${refill.n} of ${medication}` : `Approval of ${medication}`;
  const steps: OwnEntry[] = [];
  let at = createdAt;
  for (const step of pipelineSteps) {
    if (!completedSteps.includes(step) && step !== failedStep) continue;
    const made = calls.filter(({ party }) => party === partyOf[step]);
    at = made.at(-1)?.at ?? at;
    // Successful calls are not retries: a step can need several different ones.
    const count = made.filter(({ isFault }) => isFault).length + (made.at(-1)?.isFault ? 0 : 1);
    const attempts = count > 1 ? `, ${count} attempts` : '';
    const isWarning = warnings.some((warning) => warning === `${step}_failed`);
    const state = step === failedStep ? 'failed' : isWarning ? 'warning' : 'completed';
    steps.push(entry(at, 'step', stepTitle(step) + attempts, state));
  }
  const end: OwnEntry[] =
    status === 'pending' ? [] : [{ at: updatedAt, kind: 'run', text: `${what}: ended`, state: status, link }];
  return [{ at: createdAt, kind: 'run', text: what, state: status, link }, ...steps, ...end];
}

function factEntries(facts: TimelineFacts): OwnEntry[] {
  const moved = facts.orders.filter(({ n }) => n > 1);
  return [
    ...moved.map(({ reference, pharmacy, createdAt }) => {
      const to = pharmacy === null ? '' : ` to ${pharmacy}`;
      return entry(createdAt, 'order', `Moved${to} under the reference ${ownTaskId(reference)}`, null);
    }),
    ...facts.charges.flatMap(({ attempt, amountCents, refundedCents, currency, status, at, changedAt }) => {
      const charge = entry(at, 'charge', `Charge ${attempt}: ${amountOf(amountCents, currency)}`, status);
      const refund = `Refunded ${amountOf(refundedCents, currency)}`;
      const state = refundedCents < amountCents ? 'partial' : 'succeeded';
      return refundedCents === 0 ? [charge] : [charge, entry(changedAt, 'refund', refund, state)];
    }),
    ...facts.recoveries.map(({ state, messagesSent: n, openedAt }) => {
      const text = `Unpaid: charged again as planned, ${n} ${n === 1 ? 'message' : 'messages'}`;
      return entry(openedAt, 'charge', text, state);
    }),
    ...facts.shipments.flatMap(shipmentEntries),
    ...facts.cancellations.map(({ state, reason, isAsked, requestedAt }) => {
      const text = isAsked ? 'The approval is taken back' : 'The pharmacy has cancelled';
      return entry(requestedAt, 'cancellation', reason === null ? text : `${text}, denied: ${reason}`, state);
    }),
    ...facts.schedules.map(({ medication, status, refillsSent, allowed, nextFillDate, createdAt }) => {
      const text = `Refills of ${medication}: ${refillsSent} of ${allowed} sent, the next on ${nextFillDate}`;
      return entry(createdAt, 'refill', text, status);
    }),
    ...facts.directions.map(({ fields, at }) =>
      entry(
        at,
        'refill',
        `The directions of the next refills changed: ${fields.join(', ') || 'erased'}`,
        null,
      ),
    ),
  ];
}

const replacementEntry = ({ reference, pharmacy, reason, paidBy, state, at }: Replacement): OwnEntry =>
  entry(
    at,
    'order',
    `Replaced at ${pharmacy} as ${ownTaskId(reference)}: ${reason}, paid by ${paidBy}`,
    state,
  );

function shipmentEntries(shipment: TimelineFacts['shipments'][number]): OwnEntry[] {
  const { state, hasLabel, hasTracking, parcels, createdAt, shippedAt, changedAt } = shipment;
  const entries = [
    entry(createdAt, 'shipment', hasLabel && shippedAt === null ? 'Label made' : 'Shipment', state),
  ];
  const numbers = parcels > 1 ? `${parcels} tracking numbers` : 'a tracking number';
  const shipped = hasTracking ? `Shipped, with ${numbers}` : 'Shipped';
  if (shippedAt !== null) entries.push(entry(shippedAt, 'shipment', shipped, 'shipped'));
  if (state === 'delivered' || state === 'cancelled')
    entries.push(entry(changedAt, 'shipment', `Shipment ${state}`, state));
  return entries;
}

const entry = (at: Date, kind: OwnEntry['kind'], text: string, state: string | null): OwnEntry => ({
  at,
  kind,
  text,
  state,
});

const amountOf = (cents: number, currency: string): string =>
  `${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`;
