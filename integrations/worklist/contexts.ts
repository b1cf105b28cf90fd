import { z } from 'zod';
import { parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

export const address = z.object({
  addressLine1: z.string(),
  addressLine2: z.string().nullable(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
});

/** The fields that a person needs to answer a work item (D143). Null where it does not apply or its service is away. */
export const itemContext = z
  .object({
    patient: z.object({ name: z.string(), state: z.string().nullable() }).nullable(),
    medication: z.string().nullable().describe('The display name'),
    directions: z.string().nullable(),
    quantity: z.number().nullable(),
    daysSupply: z.number().nullable(),
    shipTo: address.nullable(),
    pharmacy: z.string().nullable().describe('Its name, such as `Pharmacy A`'),
    question: z.string().nullable().describe("The pharmacy's question"),
    amountCents: z.number().int().nullable().describe('The charge'),
    callbackUrl: z.string().nullable(),
    lastError: z.string().nullable().describe("The callback's last delivery"),
    differences: z
      .number()
      .int()
      .optional()
      .describe('Only of a close or a statement: its lines that differ and are not settled'),
  })
  .meta({ id: 'WorkItemContext' });
export type ItemContext = z.infer<typeof itemContext>;

/** Nothing is known. */
export const noContext: ItemContext = {
  patient: null,
  medication: null,
  directions: null,
  quantity: null,
  daysSupply: null,
  shipTo: null,
  pharmacy: null,
  question: null,
  amountCents: null,
  callbackUrl: null,
  lastError: null,
};

/** The router's part. */
export const orderContext = z
  .object({
    context: itemContext,
    order: z
      .object({
        status: z.string(),
        trackingNumber: z.string().nullable(),
        carrier: z.string().nullable(),
      })
      .describe("The pharmacy's text"),
  })
  .meta({ id: 'OrderContext' });
/** The orchestrator's part, with what an answer would undo. */
export const taskContext = z
  .object({
    context: itemContext,
    submissionId: z.string().nullable(),
    leftCents: z.number().int().describe('Charged and not refunded'),
    refillsLeft: z.number().int(),
  })
  .meta({ id: 'TaskContext' });
/** The orchestrator's part of an event endpoint. */
export const endpointContext = z
  .object({ callbackUrl: z.string(), lastError: z.string().nullable() })
  .meta({ id: 'EndpointContext' });
/** The orchestrator's part of a close or a statement. */
export const bookContext = z
  .object({ differences: z.number().int(), pharmacy: z.string().nullable() })
  .meta({ id: 'BookContext' });

/** A person waits for it: a slower service counts as away. */
const timeoutMs = 5_000;

/** The context of an order or a task from its service (D143); undefined if it has none. @throws OutboundError */
export function createContextClient(signer: Pick<SignedParty, 'keyId' | 'secret'>) {
  async function read<T>(party: string, baseUrl: string, path: string, schema: z.ZodType<T>) {
    const call = { method: 'GET' as const, resource: 'work-item-context', path, timeoutMs };
    const response = await signedCall({ party, baseUrl, ...signer }, call);
    return response.status === 404 ? undefined : parseAnswer(party, response, schema);
  }
  const of = (client: string | undefined) => (client === undefined ? '' : `?client=${client}`);
  return {
    ofOrder: (routerUrl: string, submissionId: string) =>
      read('Router', routerUrl, `/rx/work-items/context/${encodeURIComponent(submissionId)}`, orderContext),
    /** @param task.client whose task it is; undefined: the default client's (D140) */
    ofTask: (orchestratorUrl: string, { taskId, client }: { taskId: string; client: string | undefined }) => {
      const path = `/orchestrator/work-items/context/${encodeURIComponent(taskId)}`;
      return read('Orchestrator', orchestratorUrl, `${path}${of(client)}`, taskContext);
    },
    /** What the next fill of a plan will be. */
    ofNextFill: (orchestratorUrl: string, planId: string) =>
      read(
        'Orchestrator',
        orchestratorUrl,
        `/orchestrator/work-items/context/refill-${encodeURIComponent(planId)}?fill=next`,
        taskContext,
      ),
    /** @param whose the client of the endpoint */
    ofEndpoint: (orchestratorUrl: string, whose: string | undefined) =>
      read(
        'Orchestrator',
        orchestratorUrl,
        `/orchestrator/work-items/event-endpoint${of(whose)}`,
        endpointContext,
      ),
    /** @param book the day of a close, or the id of a statement */
    ofBook: (orchestratorUrl: string, book: string) =>
      read(
        'Orchestrator',
        orchestratorUrl,
        `/orchestrator/work-items/books/${encodeURIComponent(book)}`,
        bookContext,
      ),
  };
}
