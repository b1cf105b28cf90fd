import { type Payload, type PayloadCodec, type SerializationContext, ValueError } from '@temporalio/common';
import { temporal } from './proto.js';
import type { KeyRing } from '../crypto/key-ring.js';

const encoding = 'binary/encrypted';
/** In the clear: the run that a payload belongs to, which Temporal shows anyway, so that a decode can name it (D88). */
const workflowIdKey = 'scriptrail-workflow-id';
const text = new TextEncoder();
const read = new TextDecoder();

/**
 * Encrypts every payload before it leaves the process, so that nothing about a patient is readable in Temporal.
 * The key id travels in the metadata, which lets a ring of keys rotate. Synchronous inside: at these sizes that
 * costs less than a trip through the thread pool.
 */
export class EncryptionCodec implements PayloadCodec {
  constructor(private readonly keys: KeyRing) {}

  async encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return payloads.map((payload) => ({
      metadata: {
        encoding: text.encode(encoding),
        'encryption-key-id': text.encode(this.keys.current.id),
        ...(context?.workflowId === undefined ? {} : { [workflowIdKey]: text.encode(context.workflowId) }),
      },
      data: this.keys.encrypt(temporal.api.common.v1.Payload.encode(payload).finish()),
    }));
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => {
      if (read.decode(payload.metadata?.['encoding'] ?? undefined) !== encoding) return payload;
      if (!payload.data) throw new ValueError('An encrypted payload has no data');
      const keyId = read.decode(payload.metadata?.['encryption-key-id'] ?? undefined);
      return temporal.api.common.v1.Payload.decode(this.keys.decrypt(keyId, payload.data));
    });
  }
}

/** The run that an encrypted payload says it belongs to. */
export const workflowIdOf = ({ metadata }: Payload): string | undefined =>
  metadata?.[workflowIdKey] && read.decode(metadata[workflowIdKey]);
