import { z } from 'zod';
import { parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const nullableText = z.string().nullable();
const context = z.object({
  patient: z.object({ name: z.string(), state: nullableText }).nullable(),
  medication: nullableText,
  directions: nullableText,
  quantity: z.number().nullable(),
  daysSupply: z.number().nullable(),
  shipTo: z
    .object({
      addressLine1: z.string(),
      addressLine2: nullableText,
      city: z.string(),
      state: z.string(),
      zip: z.string(),
    })
    .nullable(),
  pharmacy: nullableText,
  question: nullableText,
  amountCents: z.number().nullable(),
  callbackUrl: nullableText,
  lastError: nullableText,
});
const ofOrder = z.object({
  context,
  order: z.object({ status: z.string(), trackingNumber: nullableText, carrier: nullableText }),
});
const ofTask = z.object({
  context,
  submissionId: nullableText,
  leftCents: z.number(),
  refillsLeft: z.number(),
});

const ofEndpoint = z.object({ callbackUrl: z.string(), lastError: nullableText });
const ofBook = z.object({ differences: z.number(), pharmacy: nullableText });

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
      read('Router', routerUrl, `/rx/work-items/context/${encodeURIComponent(submissionId)}`, ofOrder),
    /** @param task.client whose task it is; undefined: the default client's (D140) */
    ofTask: (orchestratorUrl: string, { taskId, client }: { taskId: string; client: string | undefined }) => {
      const path = `/orchestrator/work-items/context/${encodeURIComponent(taskId)}`;
      return read('Orchestrator', orchestratorUrl, `${path}${of(client)}`, ofTask);
    },
    /** @param whose the client of the endpoint */
    ofEndpoint: (orchestratorUrl: string, whose: string | undefined) =>
      read(
        'Orchestrator',
        orchestratorUrl,
        `/orchestrator/work-items/event-endpoint${of(whose)}`,
        ofEndpoint,
      ),
    /** @param book the day of a close, or the id of a statement */
    ofBook: (orchestratorUrl: string, book: string) =>
      read(
        'Orchestrator',
        orchestratorUrl,
        `/orchestrator/work-items/books/${encodeURIComponent(book)}`,
        ofBook,
      ),
  };
}
