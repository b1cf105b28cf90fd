import { z } from 'zod';
import { clientOfSource, taskKey, tasksOfReference } from '../../domain/clients.js';
import { emailOf } from '../../domain/email-address.js';
import type { DeskPatient } from '../../integrations/worklist/patients.js';
import { createSearchClient, type FoundOrder, type FoundTask } from '../../integrations/worklist/search.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { text } from '../../platform/http/text.js';
import type { App, ServiceContext } from '../context.js';
import { codedErrors, unavailable } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';
import { deskOrganizationsOf } from '../plugins/admin.js';
import { missing } from './contract.js';
import { deskPatients } from './tenants.js';

const maxResults = 20;
const query = z.object({
  q: text(1_000)
    .overwrite((q) => q.trim())
    .min(1)
    .max(200)
    .refine((q) => !/\p{Cc}/u.test(q), 'Must be printable characters')
    .describe('An id, the beginning of a task id, an MRN, a tracking number or an e-mail address'),
});
const answer = z.object({
  results: z.array(
    z
      .object({
        kind: z.enum(['task', 'schedule', 'plan', 'patient', 'order']),
        id: z.string().describe("An order's submission id, a patient's id in the directory"),
        title: z.string(),
        state: z.string(),
        taskId: z
          .string()
          .optional()
          .describe('Of an order: the task whose it is, for `GET /v1/orders/:taskId`'),
        at: z.iso.datetime(),
        client: z.string().optional().describe('The named client whose it is (D140)'),
      })
      .meta({ id: 'SearchResult' }),
  ),
  missing,
});
type Result = z.infer<typeof answer>['results'][number];

/** Finds tasks, schedules, plans, patients and orders for the desk (D134). */
export function searchRoutes(admin: App, context: ServiceContext): void {
  const { config, logger } = context;
  const own = config.service('worklist');
  const services = createSearchClient({ keyId: own.WORKLIST_API_KEY, secret: own.WORKLIST_API_SECRET });
  const patients = deskPatients(context);

  admin.get(
    '/v1/search',
    {
      config: {
        policy: { allows: ['support', 'org_user', 'org_admin'], isOperators: true },
        access: { action: 'desk.lookup' },
      },
      schema: {
        tags: ['Orders'],
        security: [{ adminToken: [] }],
        summary: 'Find tasks, schedules, plans, patients and orders, at most 20, newest first',
        description:
          "Compares whole ids, and the beginning of task ids; no wildcards. A patient's id, MRN or address also finds the patient's tasks, schedules and plans. Organization roles find the records of their organization's patients.",
        querystring: query,
        response: { 200: answer, ...codedErrors(400, 401, 403, 429, 500, 503) },
      },
    },
    async ({ accessed, admin, query: { q } }) => {
      const missing = new Set<string>();
      const orNone = (err: unknown): never[] => {
        if (!(err instanceof OutboundError)) throw err;
        logger.warn({ err }, 'a service did not take part in a search');
        missing.add(err.party);
        return [];
      };
      const addressedBy = async (address: string | undefined): Promise<string[]> => {
        if (address === undefined) return [];
        const there = await services.patientsAt(own.INTAKE_URL, address).catch(orNone);
        if (Array.isArray(there)) return there;
        if (there.isEmrAway) missing.add('EMR');
        return there.emrPatientIds;
      };
      const organizations = deskOrganizationsOf(admin);
      const isAll = organizations === 'all';
      const address = emailOf(q);
      const within = isAll ? {} : { organizations };
      // The directory decides what an organization may see.
      const orUnavailable: (err: unknown) => never[] = isAll ? orNone : outboundAs(() => unavailable());
      const [people, addressed, orders] = await Promise.all([
        patients.find({ q: address ?? q, ...within }).catch(orUnavailable),
        addressedBy(address),
        services.ordersAt(own.ROUTER_URL, q).catch(orNone),
      ]);
      const ids = [...people.flatMap(({ emrPatientId }) => emrPatientId ?? []), ...addressed];
      const emrPatientIds = [...new Set(ids)].filter(Boolean);
      const found = await services
        .tasksAt(own.ORCHESTRATOR_URL, { q, emrPatientIds, orders: orders.filter(({ isOwn }) => isOwn) })
        .catch(outboundAs(() => unavailable()));
      const about = [...new Set([...found.map(({ emrPatientId }) => emrPatientId), ...addressed])].filter(
        Boolean,
      );
      const known: DeskPatient[] = isAll
        ? await patients.find({ emrPatientIds: addressed }).catch(orNone)
        : await patients.find({ emrPatientIds: about.slice(0, 100), ...within }).catch(orUnavailable);
      const theirs = new Set([...people, ...known].map(({ emrPatientId }) => emrPatientId));
      const tasks = found.filter(({ emrPatientId }) => isAll || theirs.has(emrPatientId));
      const matched = known.filter(({ emrPatientId }) => addressed.includes(emrPatientId ?? ''));
      const shown = new Set(tasks.map(({ client, id }) => taskKey(client, id)));
      const shownOrders = orders.filter((order) => isAll || isOf(shown, order));

      const results: Result[] = [
        ...tasks.map(({ kind, id, title, state, at, client }) => ({
          kind,
          id,
          title,
          state,
          at,
          ...named(client),
        })),
        ...[...new Map([...people, ...matched].map((one) => [one.id, one])).values()].map(
          ({ id, state, createdAt }) => ({
            kind: 'patient' as const,
            id,
            title: 'Patient',
            state,
            at: createdAt,
          }),
        ),
        ...shownOrders.map((order) => ({
          kind: 'order' as const,
          id: order.id,
          title: order.medicationName,
          state: order.status,
          at: order.at,
          ...named(clientOf(order) ?? ''),
          ...ofTask(tasks, order),
        })),
      ];
      const newest = results.sort((one, other) => other.at.localeCompare(one.at)).slice(0, maxResults);
      accessed.records = newest.map(({ id }) => id);
      return { results: newest, missing: [...missing] };
    },
  );
}

const named = (client: string) => (client === '' ? {} : { client });

/** The client whose order it is; undefined if another key sent it, whatever its source. */
const clientOf = ({ isOwn, source }: FoundOrder) => (isOwn ? clientOfSource(source) : undefined);

/** True if an order belongs to one of the tasks that are shown. */
const isOf = (tasks: ReadonlySet<string>, order: FoundOrder): boolean => {
  const client = clientOf(order);
  return (
    client !== undefined && tasksOfReference(order.sourceOrderId).some((id) => tasks.has(taskKey(client, id)))
  );
};

/** The task of an order among those that were found. */
function ofTask(tasks: readonly FoundTask[], order: FoundOrder): { taskId?: string } {
  const client = clientOf(order);
  const ids = tasksOfReference(order.sourceOrderId);
  const task = tasks.find((one) => one.kind === 'task' && one.client === client && ids.includes(one.id));
  if (task) return { taskId: task.id };
  // A refill has no task of its own; its schedule was found.
  const refill = client === undefined ? undefined : ids.find((id) => id.startsWith('refill-'));
  return refill === undefined ? {} : { taskId: refill };
}
