import type { Payload } from '@temporalio/common';
import { z } from 'zod';
import { text } from '../../platform/http/text.js';

/** The body limit of `routes.ts`. */
const base64 = text(16 * 1024 * 1024).check(z.base64());

/** The codec-server protocol of Temporal's Web UI and CLI: payloads as protobuf writes them in JSON. */
export const payloads = z
  .object({
    payloads: z.array(
      z.object({ metadata: z.record(z.string(), base64).optional(), data: base64.optional() }),
    ),
  })
  .meta({ id: 'Payloads' });
export type WirePayload = z.output<typeof payloads>['payloads'][number];

export const fromWire = ({ metadata = {}, data }: WirePayload): Payload => ({
  metadata: mapValues(metadata, (value) => Buffer.from(value, 'base64')),
  ...(data === undefined ? {} : { data: Buffer.from(data, 'base64') }),
});

export const toWire = ({ metadata, data }: Payload): WirePayload => ({
  metadata: mapValues(metadata ?? {}, toBase64),
  ...(data ? { data: toBase64(data) } : {}),
});

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const mapValues = <A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
