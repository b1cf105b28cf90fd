import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  addNote,
  claimAnswer,
  countOpen,
  findItem,
  historyOf,
  listItems,
  snoozeItem,
  type WorkItem,
} from '../../db/worklist/items.js';
import { changedFields } from '../../domain/work-items.js';
import { answerWorkItem, isAnswering } from '../../starts/worklist.js';
import { newestRunOf } from '../../starts/looking.js';
import { runLists } from '../../starts/run-lists.js';
import { listStuckRuns } from '../../starts/stuck.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { instant } from '../instant.js';
import { endOf, runFailed } from '../outcomes.js';
import { deskOrganizationsOf, type Policy } from '../plugins/admin.js';
import { effectsOf } from './effects.js';
import { createContexts, seesPatients } from './item-context.js';
import { codedErrors, conflict, found, idOf, InvalidField, isUuid } from '../http-errors.js';
import { listsAt, runsAt } from '../run-links.js';
import type { EmailOf } from './people.js';
import * as contract from './contract.js';

const common = { tags: ['Work items'], security: [{ adminToken: [] }] };
/** Every admin may read; the items are those of the admin's organizations. */
const readingErrors = codedErrors(401, 429, 500, 503);
const errors = { ...readingErrors, ...codedErrors(403) };
const params = z.object({ id: z.string() });
const position = z.object({ isClosed: z.boolean(), dueAt: instant, id: z.uuid() });
/** A slower answer continues in its workflow, and the item records the result. */
const answerWithinMs = 10_000;

/** The work items of all services (D109). */
export function itemRoutes(admin: App, context: ServiceContext, emailOf: EmailOf): void {
  const { sql, temporal, config } = context;
  const contextOf = createContexts(context);
  /** Only superadmins and operators see an item without an organization. */
  const organizationOf = async ({ params }: FastifyRequest) => {
    const { id } = params as { id: string };
    return isUuid(id) ? ((await findItem(sql, 'all', id))?.organizationId ?? undefined) : undefined;
  };
  const reading = { policy: { allows: 'admins' } satisfies Policy };
  const answering = {
    policy: { allows: ['org_admin'], isOperators: true, organizationOf } satisfies Policy,
  };
  const itemOf = async ({ admin, params, accessed }: FastifyRequest): Promise<WorkItem> => {
    const id = idOf((params as { id: string }).id, 'Work item');
    const item = found(await findItem(sql, deskOrganizationsOf(admin), id), 'Work item');
    accessed.organizationId = item.organizationId;
    return item;
  };
  const linkOf = runsAt(config.service('worklist'));
  const presented = (item: WorkItem, runId?: string) => ({
    ...item,
    references: item.refersTo,
    runUrl: linkOf(item.workflowId, runId),
  });

  admin.get(
    '/v1/work-items',
    {
      config: { ...reading, access: { action: 'item.list' } },
      schema: {
        ...common,
        summary: 'List work items, open ones first by due time',
        querystring: contract.itemQuery,
        response: { 200: contract.workItems, ...codedErrors(400), ...readingErrors },
      },
    },
    async ({ admin, query: { limit, cursor, ...filter } }) => {
      const after = decodeCursor(cursor, position);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listItems(sql, deskOrganizationsOf(admin), { ...filter, limit, after }),
        ({ closedAt, dueAt, id }) => ({ isClosed: closedAt !== null, dueAt, id }),
      );
      return { workItems: page.map((item) => presented(item)), nextCursor };
    },
  );

  admin.get(
    '/v1/work-items/counts',
    {
      config: { ...reading, access: { none: 'counts only' } },
      schema: {
        ...common,
        summary: 'Count open and overdue work items by kind',
        response: { 200: contract.counts, ...readingErrors },
      },
    },
    async ({ admin }) => ({ counts: await countOpen(sql, deskOrganizationsOf(admin)) }),
  );

  admin.get(
    '/v1/work-items/:id',
    {
      config: { ...reading, access: { action: 'item.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'Get a work item with its context and history',
        description:
          'The context is read from the services that own it, and null where one is away. Below `org_user`, patient and address are null.',
        params,
        response: { 200: contract.workItemWithHistory, ...codedErrors(404), ...readingErrors },
      },
    },
    async (request) => {
      const item = await itemOf(request);
      const [known, history, runId] = await Promise.all([
        contextOf(item),
        historyOf(sql, item.id),
        item.workflowId === null ? undefined : newestRunOf(temporal, item.workflowId),
      ]);
      const shown = seesPatients(request.admin, item.organizationId)
        ? known.context
        : { ...known.context, patient: null, shipTo: null };
      const effects = item.state === 'closed' ? {} : effectsOf(item, known);
      const { missing } = known;
      return { workItem: presented(item, runId), context: shown, missing, effects, history };
    },
  );

  admin.post(
    '/v1/work-items/:id/answer',
    {
      config: { ...answering, access: { action: 'item.answer', record: 'id' } },
      schema: {
        ...common,
        summary: 'Answer an open work item',
        description:
          "The item's service carries out the answer. A repeated answer by the same person returns the same result. If two people answer concurrently, one gets 409.",
        params,
        body: contract.givenAnswer,
        response: {
          200: contract.oneWorkItem,
          202: contract.oneWorkItem.describe('The answer takes longer than 10 s'),
          ...codedErrors(400, 404, 409, 413, 415),
          ...errors,
        },
      },
    },
    async (request, reply) => {
      const { id, answers, source } = await itemOf(request);
      const { answer, note = null, data = {} } = request.body;
      if (!answers.includes(answer)) throw new InvalidField('answer', `Must be one of ${answers.join(', ')}`);
      const by = await emailOf(request);
      const given = { answer, by, note, changed: changedFields(data) };
      if (!(await claimAnswer(sql, id, given))) {
        const item = await itemOf(request);
        if (item.closedBy === by && item.answer === answer) return { workItem: presented(item) };
        // A process that is killed between its claim and its run leaves the item to the next person.
        const isTaken =
          item.state === 'closed' ||
          (await isAnswering(temporal, id)) ||
          !(await claimAnswer(sql, id, given, true));
        if (isTaken) throw conflict(heldBy(item));
      }
      const outcome = await answerWorkItem(
        temporal,
        { itemId: id, source, answer, by, note, data },
        answerWithinMs,
      );
      if (outcome.state === 'timed_out')
        return reply.code(202).send({ workItem: presented(await itemOf(request)) });
      const ended = endOf(outcome, {
        what: 'answer',
        ids: {},
        conflict: conflict('Another answer is under way'),
      });
      if (ended.state === 'failed') throw runFailed(ended.failure);
      if (ended.result.refusal !== null) throw conflict(ended.result.refusal);
      return { workItem: presented(await itemOf(request)) };
    },
  );

  admin.post(
    '/v1/work-items/:id/snooze',
    {
      config: { ...answering, access: { action: 'item.snooze', record: 'id' } },
      schema: {
        ...common,
        summary: 'Snooze an open work item',
        params,
        body: contract.snoozing,
        response: { 200: contract.oneWorkItem, ...codedErrors(400, 404, 409, 413, 415), ...errors },
      },
    },
    async (request) => {
      const item = await itemOf(request);
      const { until } = request.body;
      if (until.getTime() <= Date.now()) throw new InvalidField('until', 'Must lie ahead');
      const snoozed = await snoozeItem(sql, item.id, { until, by: await emailOf(request) });
      if (!snoozed) throw conflict(heldBy(await itemOf(request)));
      return { workItem: presented(snoozed) };
    },
  );

  admin.post(
    '/v1/work-items/:id/note',
    {
      config: { ...answering, access: { action: 'item.note', record: 'id' } },
      schema: {
        ...common,
        summary: 'Add a note to a work item',
        params,
        body: contract.newNote,
        response: { 200: contract.oneWorkItem, ...codedErrors(400, 404, 413, 415), ...errors },
      },
    },
    async (request) => {
      const item = await itemOf(request);
      await addNote(sql, item.id, { note: request.body.note, by: await emailOf(request) });
      return { workItem: presented(item) };
    },
  );
}

/** Why an item cannot be answered. */
const heldBy = ({ closedBy, answer, answering, answeringBy }: WorkItem): string =>
  closedBy === null
    ? `${answeringBy ?? 'Somebody else'} has answered ${answering ?? 'it'}`
    : `Closed by ${closedBy}${answer === null ? '' : ` with ${answer}`}`;

/** Workflows of all services that keep failing (D109). They need no answer, and leave the list once they proceed. */
export function stuckRoutes(admin: App, { temporal, config }: ServiceContext): void {
  const linkOf = runsAt(config.service('worklist'));
  const list = listsAt(config.service('worklist'));
  const lists = runLists.map(({ title, query }) => ({
    title,
    query,
    url: list === null ? null : `${list}?query=${encodeURIComponent(query)}`,
  }));
  admin.get(
    '/v1/stuck-runs',
    {
      config: { policy: { allows: 'operators' }, access: { none: 'workflow ids only' } },
      schema: {
        tags: ['Work items'],
        security: [{ adminToken: [] }],
        summary: 'List workflows whose step has failed for over five minutes',
        description: 'Query for the same list in the Web UI: `RxStuck is not null`.',
        response: { 200: contract.stuckRuns, ...codedErrors(401, 403, 429, 500, 503) },
      },
    },
    async () => {
      const { runs, total } = await listStuckRuns(temporal);
      return {
        total,
        stuckRuns: runs.map((run) => ({ ...run, runUrl: linkOf(run.workflowId, run.runId) })),
        lists,
      };
    },
  );
}
