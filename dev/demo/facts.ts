import { z } from 'zod';
import { exchange, parseAnswer } from '../../platform/http/outbound.js';
import type { DevJson } from '../dev-json.js';
import { callService } from '../../cli/call-service.js';
import { newest, sandbox } from './outside.js';

const timeoutMs = 10_000;

const submission = z.object({ pharmacy: z.string() });
const medications = z.object({ medications: z.array(z.object({ key: z.string(), priceCents: z.number() })) });
const route = z.object({
  physician: z.object({ npi: z.string(), suffix: z.string().nullable() }).nullable(),
});
const orders = z.object({
  orders: z.array(
    z.object({
      orderId: z.string(),
      idempotencyKey: z.string(),
      body: z.object({ prescriber: z.object({ npi: z.string() }) }),
    }),
  ),
});
const charges = z.object({
  charges: z.array(
    z.object({ amountCents: z.number(), status: z.string(), metadata: z.record(z.string(), z.string()) }),
  ),
});
const shippingRequests = z.object({
  requests: z.array(
    z.object({
      status: z.number().nullable(),
      body: z.object({ pharmacyOrderId: z.string(), kind: z.string() }).nullable().catch(null),
      responseBody: z.object({ trackingNumber: z.string() }).nullable().catch(null),
    }),
  ),
});
const messages = z.object({
  messages: z.array(z.object({ channel: z.string(), at: z.string() })),
});
const patient = z.object({ telecom: z.array(z.object({ value: z.string() })) });

/** The records of external services, router and registry about one approval. */
export interface Facts {
  /** The order in the router's record. */
  pharmacy: string | undefined;
  /** Orders at the pharmacy. */
  orderCount: number;
  /** The NPI on the pharmacy's order. */
  orderedBy: string | undefined;
  /** The NPI that the registry chooses for the patient's state. */
  registryPhysician: { npi: string; suffix: string | null } | undefined;
  /** The price of the medication. */
  priceCents: number | undefined;
  /** The sum of successful charges, in cents. */
  chargedCents: number[];
  labels: string[];
  /** Channels with a message to the patient. */
  toldBy: string[];
}

/** Reads the records of all services. @param startedAt ISO 8601; ignores earlier messages */
export async function gatherFacts(
  dev: DevJson,
  of: {
    taskId: string;
    submissionId: string | undefined;
    emrPatientId: string;
    medication: string;
    state: string;
    startedAt: string;
  },
): Promise<Facts> {
  const ask = async <T>(schema: z.ZodType<T>, path: string) => schema.parse(await sandbox(dev, path));
  const [order, charged, shipping, told, pharmacy, priceCents, registryPhysician] = await Promise.all([
    ask(orders, `/orders?${newest}`),
    ask(charges, `/charges?${newest}`),
    ask(shippingRequests, `/requests?target=shipping&${newest}`),
    addressesOf(dev, of.emrPatientId).then((addresses) =>
      Promise.all(addresses.map((to) => ask(messages, `/messages?to=${encodeURIComponent(to)}`))),
    ),
    routedPharmacy(dev, of.submissionId),
    priceOf(dev, of.medication),
    physicianFor(dev, of.state),
  ]);
  const ordered = order.orders.filter(
    ({ idempotencyKey }) => of.submissionId !== undefined && idempotencyKey.startsWith(of.submissionId),
  );
  const orderIds = ordered.map(({ orderId }) => orderId);
  return {
    pharmacy,
    orderCount: ordered.length,
    orderedBy: ordered[0]?.body.prescriber.npi,
    registryPhysician,
    priceCents,
    chargedCents: charged.charges
      .filter(({ status, metadata }) => status === 'succeeded' && metadata['task_id'] === of.taskId)
      .map(({ amountCents }) => amountCents),
    labels: shipping.requests.flatMap(({ status, body, responseBody }) =>
      status === 201 && responseBody && body?.kind === 'label' && orderIds.includes(body.pharmacyOrderId)
        ? [responseBody.trackingNumber]
        : [],
    ),
    toldBy: [
      ...new Set(
        told
          .flatMap(({ messages }) => messages)
          .filter(({ at }) => at >= of.startedAt)
          .map(({ channel }) => channel),
      ),
    ].sort(),
  };
}

/** The patient's addresses in the EMR. */
async function addressesOf(dev: DevJson, emrPatientId: string): Promise<string[]> {
  const response = await exchange({
    party: 'EMR',
    method: 'GET',
    url: `${dev.emr.baseUrl}/Patient/${emrPatientId}`,
    headers: { authorization: `Bearer ${dev.emr.token}` },
    timeoutMs,
  });
  return parseAnswer('EMR', response, patient).telecom.map(({ value }) => value);
}

async function routedPharmacy(dev: DevJson, submissionId: string | undefined): Promise<string | undefined> {
  if (submissionId === undefined) return undefined;
  const path = `/rx/prescriptions/${submissionId}`;
  // Only the client that made a submission can read it, and that is the orchestrator.
  const answer = await callService(dev, { service: 'router', key: 'orchestrator', method: 'GET', path });
  return submission.safeParse(answer.body).data?.pharmacy;
}

async function priceOf(dev: DevJson, medication: string): Promise<number | undefined> {
  const path = '/orchestrator/medications';
  const answer = await callService(dev, { service: 'orchestrator', method: 'GET', path });
  return medications.parse(answer.body).medications.find(({ key }) => key === medication)?.priceCents;
}

async function physicianFor(dev: DevJson, state: string): Promise<Facts['registryPhysician']> {
  const path = `/route?platform=platform_a&state=${state}`;
  const answer = await callService(dev, { service: 'registry', method: 'GET', path });
  return route.parse(answer.body).physician ?? undefined;
}
