import { createHash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { dropAction, historyOfOrder, noteAction } from '../../db/worklist/order-history.js';
import { taskKey } from '../../domain/clients.js';
import { createDeskOrderClient, type DeskOrder } from '../../integrations/worklist/orders.js';
import { uuidV5 } from '../../platform/crypto/ids.js';
import { type OutboundResponse, parseJson } from '../../platform/http/outbound.js';
import type { App, ServiceContext } from '../context.js';
import {
  codedErrors,
  codedUnfinished,
  conflict,
  found,
  HttpError,
  InvalidField,
  unavailable,
} from '../http-errors.js';
import { isErrorCode } from '../error-codes.js';
import type { TimelineEntry } from '../../domain/timeline.js';
import { outboundAs } from '../outcomes.js';
import type { Policy } from '../plugins/admin.js';
import { createContexts, seesPatients } from './item-context.js';
import { actionsOf, callOf } from './order-actions.js';
import * as contract from './order-contract.js';
import { partyAt } from './parties.js';
import type { EmailOf } from './people.js';
import { createTenancy } from './tenants.js';
import { createTimelines } from './timeline-routes.js';

const common = { tags: ['Orders'], security: [{ adminToken: [] }] };
const { orderParams: params, orderQuery: querystring } = contract;
const errors = codedErrors(400, 401, 404, 429, 500, 503);
type OrderQuery = z.infer<typeof querystring>;

/** An order with its actions, for the desk (D135). */
export function orderRoutes(admin: App, context: ServiceContext, emailOf: EmailOf): void {
  const orders = createDeskOrderClient(partyAt(context, 'ORCHESTRATOR_URL'));
  const contextOf = createContexts(context);
  const timelineOf = createTimelines(context);
  const { sql } = context;
  const tenantOf = createTenancy(context);

  /** @throws HttpError 404 for an unknown task, 503 while the orchestrator is away */
  const orderOf = async ({ params, query }: FastifyRequest, key?: string): Promise<DeskOrder> => {
    const { taskId } = params as { taskId: string };
    const { client } = querystring.safeParse(query).data ?? {};
    const order = await orders.read(taskId, client, key).catch(outboundAs(() => unavailable()));
    return found(order, 'Task');
  };
  const organizationOf = async (request: FastifyRequest) => {
    const { emrPatientId } = await orderOf(request);
    return tenantOf(request.admin, emrPatientId);
  };
  const reading = {
    allows: ['support', 'org_user', 'org_admin'],
    isOperators: true,
    organizationOf,
  } satisfies Policy;
  const acting = { allows: ['org_admin'], isOperators: true, organizationOf } satisfies Policy;
  const factsOf = async (request: FastifyRequest, order: DeskOrder) => {
    const { client } = request.query as OrderQuery;
    const { taskId, submissionId } = order;
    return contextOf({
      refersTo: {
        taskId,
        ...(submissionId !== null && { submissionId }),
        ...(client !== undefined && { client }),
      },
    });
  };

  admin.get(
    '/v1/orders/:taskId',
    {
      config: { policy: reading, access: { action: 'order.read' } },
      schema: {
        ...common,
        summary: 'Get an order with its timeline and what can be done to it',
        description:
          'For `refill-<scheduleId>` the newest refill. Fields of a service that is away are null. Below `org_user`, patient and addresses are null. Each action says what it needs and will do, and `why` it is not allowed.',
        params,
        querystring,
        response: { 200: contract.order, ...errors },
      },
    },
    async (request) => {
      const order = await orderOf(request);
      const { taskId, refills } = order;
      request.accessed.records = [taskId];
      const [known, timeline, history] = await Promise.all([
        factsOf(request, order),
        timelineOf(taskId, request.query.client),
        historyOfOrder(sql, keyOfTask(request, taskId)),
      ]);
      const isShown = seesPatients(request.admin, request.organizationId ?? null);
      const { trackingNumber = null, carrier = null } = known.order ?? {};
      return {
        task: {
          ...order,
          refills: refills && { ...refills, shipTo: isShown ? refills.shipTo : null },
          orderStatus: known.order?.status ?? null,
          // The router does not know the number of our own label.
          tracking: trackingNumber === null ? order.tracking : { trackingNumber, carrier },
        },
        context: isShown ? known.context : { ...known.context, patient: null, shipTo: null },
        missing: [...new Set([...known.missing, ...gapsIn(timeline ?? [])])],
        timeline: timeline ?? [],
        actions: actionsOf(order, known, lastMessageOf(timeline ?? [])),
        history: history.map(({ note, at, ...entry }) => ({
          ...entry,
          at: at.toISOString(),
          note: isShown ? note : null,
        })),
      };
    },
  );

  admin.post(
    '/v1/orders/:taskId/actions',
    {
      config: {
        errorCodes: {
          422: ['refused', 'no_pharmacy_route', 'medication_not_at_pharmacy'],
          502: ['order_rejected', 'not_delivered'],
        },
        policy: acting,
        access: { action: 'order.act' },
      },
      schema: {
        ...common,
        summary: 'Do something to an order',
        description:
          'Calls the route that exists for the action, for the person who asks, and answers as it does. `data` is the body of that route and the note its reason. Send an `Idempotency-Key` with each click: a lost answer can then be asked for again without a second action.',
        params,
        querystring,
        headers: contract.actHeaders,
        body: contract.givenAction,
        response: {
          200: contract.acted,
          202: contract.acted.describe(
            'It takes longer. Repeat the request with the same `Idempotency-Key` for its end',
          ),
          ...errors,
          ...codedErrors(403, 413, 415, 422, 502),
          409: codedUnfinished.describe('Not allowed now; `message` says why'),
        },
      },
    },
    async (request, reply) => {
      const { headers, query } = request;
      const { action, data, note } = request.body;
      const given = headers['idempotency-key'];
      const key = given === undefined ? undefined : keyFor(request, given);
      const order = await orderOf(request, key);
      request.accessed.records = [order.taskId];
      const known = await factsOf(request, order);
      const judged = actionsOf(order, known, undefined).find((one) => one.action === action);
      if (!judged) throw new InvalidField('action', 'Unknown action');
      // A repeat is answered by its route, whatever is allowed by now.
      if (judged.why !== null && !order.isRepeated) throw conflict(judged.why);
      if (judged.needs.includes('note') && !/\S/.test(note ?? ''))
        throw new InvalidField('note', 'A note is needed');
      const by = await emailOf(request);
      const written = note?.trim() === '' ? undefined : note;
      const call = callOf(action, order, { data, note: written, by });
      const id = key === undefined ? randomUUID() : uuidV5('order action', key);
      const entry = {
        id,
        taskKey: keyOfTask(request, order.taskId),
        actor: by,
        action,
        note: written ?? null,
      };
      const isNew = await noteAction(sql, entry);
      const response = await orders
        .act({ ...call, ...(key !== undefined && { idempotencyKey: key }) }, query.client)
        .catch(outboundAs(() => unavailable()));
      if (isNew && response.status >= 400 && response.status < 500) await dropAction(sql, id);
      return answerAs(reply, response);
    },
  );
}

/** The task as the orchestrator names it inside. */
const keyOfTask = ({ query }: { query: unknown }, taskId: string): string =>
  taskId.startsWith('refill-') ? taskId : taskKey((query as OrderQuery).client ?? '', taskId);

/** The services whose entries a timeline lacks, as their calls name them. */
const gapsIn = (timeline: readonly TimelineEntry[]): string[] =>
  timeline.flatMap(({ kind, service }) => (kind === 'gap' ? [partyNames[service] ?? service] : []));
const partyNames: Readonly<Record<string, string>> = {
  router: 'Router',
  orchestrator: 'Orchestrator',
  notification: 'Notification service',
  worklist: 'Worklist',
};

/** What the patient was told last, in words; null for nothing, undefined while the messages are unknown. */
function lastMessageOf(timeline: readonly TimelineEntry[]): string | null | undefined {
  const last = timeline.findLast(({ kind }) => kind === 'message');
  const [type = ''] = last?.text.split(',') ?? [];
  if (last) return type.replaceAll('_', ' ');
  const isAway = timeline.some(({ kind, service }) => kind === 'gap' && service !== 'router');
  return isAway ? undefined : null;
}

/** Another person, or another task, may use the same key. */
const keyFor = ({ admin, params, query }: FastifyRequest, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([admin.sub, params, query, key]))
    .digest('hex');

const refusal = z.looseObject({
  error: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

/** Answers as the route of the action did. @throws HttpError 503 where a gateway answered in its place */
function answerAs(reply: FastifyReply, response: OutboundResponse) {
  const { status, headers } = response;
  let body: unknown;
  try {
    body = parseJson('Orchestrator', response);
  } catch {
    throw unavailable();
  }
  if (status === 200 || status === 202) {
    if (headers['idempotent-replayed'] === 'true') void reply.header('idempotent-replayed', 'true');
    return reply.code(status).send(body);
  }
  const refused = refusal.safeParse(body);
  if (!refused.success || ![400, 404, 409, 422, 502].includes(status)) throw unavailable();
  const { error, details, ...fields } = refused.data;
  const { 'error-code': word } = headers;
  if (status === 409) throw conflict(error, fields);
  if (status === 400 && details) {
    const named = details.map(({ path, message }) => ({ path: `data.${path}`, message }));
    throw new HttpError(400, 'Validation failed', { fields: { details: named } });
  }
  throw new HttpError(status, error, isErrorCode(word) ? { code: word } : {});
}
