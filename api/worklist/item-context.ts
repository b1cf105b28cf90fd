import type { WorkItem } from '../../db/worklist/items.js';
import { createContextClient, type ItemContext, noContext } from '../../integrations/worklist/contexts.js';
import type { AdminClaims } from '../../platform/crypto/admin-token.js';
import { OutboundError } from '../../platform/http/outbound.js';
import type { ServiceContext } from '../context.js';
import { deskOrganizationsOf } from '../plugins/admin.js';

/** Reads the context of an item at this moment. Nothing of it is stored here. */
export interface KnownContext {
  context: ItemContext;
  /** Charged and not refunded; null while the orchestrator is away or the item is about no task. */
  leftCents: number | null;
  refillsLeft: number | null;
  /** The pharmacy's text about the order; null without one, or while the router is away. */
  order: { status: string; trackingNumber: string | null; carrier: string | null } | null;
  /** The services that have not answered. */
  missing: string[];
}

/** Reads the context of a work item from the router and the orchestrator (D143). A service that is away gives nulls. */
export function createContexts({ config, logger }: ServiceContext) {
  const own = config.service('worklist');
  const client = createContextClient({ keyId: own.WORKLIST_API_KEY, secret: own.WORKLIST_API_SECRET });

  return async ({ refersTo }: Pick<WorkItem, 'refersTo'>): Promise<KnownContext> => {
    const { planId, submissionId, client: whose, statementId, date, keyId } = refersTo;
    const { taskId, reference = taskId } = refersTo;
    const missing = new Set<string>();
    const unlessAway = (err: unknown): undefined => {
      if (!(err instanceof OutboundError)) throw err;
      logger.warn({ err }, 'a service did not return the context of a work item');
      missing.add(err.party);
    };
    const book = statementId ?? date;
    const differing =
      book === undefined ? undefined : await client.ofBook(own.ORCHESTRATOR_URL, book).catch(unlessAway);
    // Only an event endpoint is known by its key.
    const endpoint =
      keyId === undefined
        ? undefined
        : await client.ofEndpoint(own.ORCHESTRATOR_URL, whose).catch(unlessAway);
    const task =
      planId !== undefined
        ? await client.ofNextFill(own.ORCHESTRATOR_URL, planId).catch(unlessAway)
        : reference === undefined
          ? undefined
          : await client.ofTask(own.ORCHESTRATOR_URL, { taskId: reference, client: whose }).catch(unlessAway);
    const orderId = submissionId ?? task?.submissionId ?? undefined;
    const order =
      orderId === undefined ? undefined : await client.ofOrder(own.ROUTER_URL, orderId).catch(unlessAway);
    const known: ItemContext = { ...noContext, ...task?.context, ...differing, ...endpoint };
    for (const [field, value] of Object.entries(order?.context ?? {}))
      if (value !== null) Object.assign(known, { [field]: value });
    // An order may name the medication by its key only.
    known.medication = task?.context.medication ?? known.medication;
    return {
      context: known,
      leftCents: task?.leftCents ?? null,
      refillsLeft: task?.refillsLeft ?? null,
      order: order?.order ?? null,
      missing: [...missing],
    };
  };
}

/** True if an admin may see the patients of an organization (page 3, role matrix; D141). */
export const seesPatients = (admin: AdminClaims, organizationId: string | null): boolean =>
  deskOrganizationsOf(admin) === 'all' ||
  admin.memberships.some(
    ({ orgId, role }) => orgId === organizationId && (role === 'org_user' || role === 'org_admin'),
  );
