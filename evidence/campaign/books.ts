import type { DevJson } from '../../dev/dev-json.js';
import { callsTo } from '../../tests/api/orchestrator/approvals.js';
import type { BookedOrder } from '../../tests/api/orchestrator/exceptions.js';
import { sandbox } from '../../tests/helpers/client.js';
import type { Received } from '../../tests/helpers/receiver.js';
import type { EventReader } from './event-reader.js';
import type { ToldEvent } from './judge-events.js';
import type { Case } from './stories.js';

interface Booked {
  id: string;
  metadata: Record<string, string>;
  amountCents: number;
  status: string;
  customer: string;
  at: string;
}
export interface Call {
  target: string;
  operation: string;
  path: string;
  /** The subject of the call: an order's reference, a task, an address. */
  about: string;
  key: string | null;
  status: number | null;
  fault: string | null;
  at: string;
  /** The label or tracking record. */
  made: string | null;
  /** The tracking number that the pharmacy gave. */
  parcel: string | null;
  /** The first line of a label's address. */
  sentTo: string | null;
}

/** The records of all external services. */
export interface Books {
  orders: BookedOrder[];
  charges: Booked[];
  refunds: Booked[];
  calls: Call[];
  /** Accepted e-mails by Message-ID. */
  mails: { to: string; subject: string; text: string; id: string }[];
  texts: { to: string; text: string }[];
  /** Ids of the EMR's patients by the address or name that a client gave. */
  emr: Record<string, string[]>;
  callbacks: { submissionId: string; status: string }[];
  /** What the reader of events has kept, and the sequences that it was sent and answered with 2xx. */
  events: { after: number; told: ToldEvent[]; acknowledged: Set<number> };
}

/** Counted by the sandbox over all services. */
const callsHeld = 10_000;
const parties = ['pharmacy_a', 'pharmacy_b', 'stripe', 'shipping', 'smtp', 'twilio', 'emr'];
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export async function readBooks(
  dev: DevJson,
  cases: readonly Case[],
  received: readonly Received[],
  reader: Pick<EventReader, 'after' | 'kept' | 'acknowledged'>,
): Promise<Books> {
  const { orders } = await sandbox<{ orders: BookedOrder[] }>(dev, '/orders?limit=1000000');
  const { charges } = await sandbox<{ charges: Booked[] }>(dev, '/charges?limit=1000000');
  const { refunds } = await sandbox<{ refunds: Booked[] }>(dev, '/refunds?limit=1000000');
  const { messages } = await sandbox<{ messages: { channel: string; to: string; text: string }[] }>(
    dev,
    '/messages',
  );
  const exchanges = await Promise.all(
    parties.map(async (target) => (await callsTo(dev, target)).map((exchange) => ({ target, ...exchange }))),
  );
  const calls = exchanges.flat();
  if (calls.length >= callsHeld) throw new Error('The sandbox may have forgotten calls');
  return {
    orders,
    charges: charges.filter(({ status }) => status === 'succeeded'),
    refunds,
    calls: calls.map(({ target, operation, path, headers, body, status, responseBody, at, ...rest }) => {
      const { externalId, reference, metadata, to, To, trackingNumber, recipient } =
        (body as Record<string, unknown> | null) ?? {};
      const task = (metadata as Record<string, string> | undefined)?.['task_id'];
      return {
        target,
        operation,
        path,
        status,
        at,
        key: headers['idempotency-key'] ?? headers['message-id'] ?? null,
        about: [externalId, reference, task, to, To].map(text).find(Boolean) ?? path,
        fault: (rest as { fault?: string | null }).fault ?? null,
        made: text(responseBody?.['shipmentId']) || null,
        parcel: text(trackingNumber) || null,
        sentTo: text((recipient as Record<string, unknown> | undefined)?.['line1']) || null,
      };
    }),
    mails: calls
      .filter(({ target, status }) => target === 'smtp' && status === 250)
      .map(({ headers, body }) => ({
        to: text(body['to']),
        subject: text(body['subject']),
        text: text(body['text']),
        id: headers['message-id'] ?? '',
      })),
    texts: messages.filter(({ channel }) => channel === 'sms'),
    emr: Object.fromEntries(
      await Promise.all(
        cases
          .filter(({ kind }) => kind === 'intake' || kind === 'create')
          .map(async ({ kind, patient, reference }) =>
            kind === 'intake'
              ? [patient.email, await inEmr(dev, { email: patient.email })]
              : [reference, await inEmr(dev, { family: reference })],
          ),
      ),
    ) as Record<string, string[]>,
    events: { after: reader.after, told: [...reader.kept], acknowledged: new Set(reader.acknowledged) },
    callbacks: received.map(({ body }) => JSON.parse(body) as { submissionId: string; status: string }),
  };
}

async function inEmr(dev: DevJson, query: Record<string, string>): Promise<string[]> {
  const response = await fetch(`${dev.emr.baseUrl}/Patient/_search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dev.emr.token}`, 'x-sandbox-bypass': '1' },
    body: new URLSearchParams(query),
  });
  const { entry = [] } = (await response.json()) as { entry?: { resource: { id: string } }[] };
  return entry.map(({ resource }) => resource.id);
}
