import { z } from 'zod';
import { parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

export const foundTask = z.object({
  kind: z.enum(['task', 'schedule', 'plan']),
  id: z.string(),
  client: z.string(),
  emrPatientId: z.string(),
  title: z.string().describe('The medication, or the treatment of a plan'),
  state: z.string(),
  at: z.iso.datetime(),
});
export const foundOrder = z.object({
  id: z.uuid(),
  source: z.string(),
  sourceOrderId: z.string(),
  isOwn: z.boolean().describe('False for an order of another client, whatever its source'),
  medicationName: z.string(),
  status: z.string(),
  at: z.iso.datetime(),
});
export type FoundOrder = z.infer<typeof foundOrder>;
export type FoundTask = z.infer<typeof foundTask>;

/** A person waits for it: a slower service counts as away. */
const timeoutMs = 5_000;

/** Looks for a text at the services that may know it (D134), which stands in no URL. All methods throw OutboundError. */
export function createSearchClient(signer: Pick<SignedParty, 'keyId' | 'secret'>) {
  async function ask<T>(party: string, url: string, path: string, body: object, shape: z.ZodType<T>) {
    const call = { method: 'POST', resource: 'search', path, body, timeoutMs } as const;
    return parseAnswer(party, await signedCall({ party, baseUrl: url, ...signer }, call), shape);
  }
  return {
    async ordersAt(routerUrl: string, q: string): Promise<FoundOrder[]> {
      const shape = z.object({ orders: z.array(foundOrder) });
      return (await ask('Router', routerUrl, '/rx/search', { q }, shape)).orders;
    },
    /** EMR ids of the patients of an address, by the intakes and the EMR. */
    async patientsAt(intakeUrl: string, email: string) {
      const shape = z.object({ emrPatientIds: z.array(z.string()), isEmrAway: z.boolean() });
      return ask('Intake gateway', intakeUrl, '/desk/patients', { email }, shape);
    },
    async tasksAt(
      orchestratorUrl: string,
      sought: {
        q: string;
        emrPatientIds: readonly string[];
        orders: readonly Pick<FoundOrder, 'source' | 'sourceOrderId'>[];
      },
    ): Promise<FoundTask[]> {
      const shape = z.object({ results: z.array(foundTask) });
      return (await ask('Orchestrator', orchestratorUrl, '/orchestrator/search', sought, shape)).results;
    },
  };
}
