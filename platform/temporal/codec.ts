import { fileURLToPath } from 'node:url';
import {
  type DataConverter,
  defaultPayloadConverter,
  type Payload,
  type PayloadCodec,
  type SerializationContext,
  ValueError,
} from '@temporalio/common';
import { eventsRunPrefix } from '../../domain/events.js';
import { unencryptedPayload } from '../../domain/temporal.js';
import { type Key, KeyRing } from '../crypto/key-ring.js';
import { temporal } from './proto.js';

/** The key rings of one service (D90). */
export interface CodecKeys {
  /** For payloads of its own workflows. */
  own: readonly Key[];
  /** For activity payloads of event deliveries, which several services share. */
  events?: readonly Key[] | undefined;
}

/** Only the codec server accepts unencrypted payloads. */
export type Reader = 'worker' | 'client' | 'codec server';

const encoding = 'binary/encrypted';
/** Not encrypted, because Temporal shows it anyway; access events of decodes name it (D88). */
const workflowIdKey = 'scriptrail-workflow-id';
const text = new TextEncoder();
const read = new TextDecoder();
const encrypted = text.encode(encoding);

/**
 * Encrypts every payload, so that Temporal stores no readable patient data, and rejects foreign payloads (D90). The
 * metadata has the key id, for rotation, and namespace and workflow id: a payload opens only in its own workflow.
 * Encryption is synchronous: for these sizes the thread pool would cost more.
 */
export class EncryptionCodec implements PayloadCodec {
  private readonly own: KeyRing;
  private readonly events: KeyRing | undefined;
  /** For payloads without a context. */
  private readonly any: KeyRing;

  constructor(
    { own, events = [] }: CodecKeys,
    private readonly reader: Reader,
  ) {
    this.own = new KeyRing(own);
    this.events = events.length > 0 ? new KeyRing(events) : undefined;
    this.any = new KeyRing([...own, ...events]);
  }

  async encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    const keys = this.ringOf(context) ?? this.own;
    const run = context?.workflowId === undefined ? undefined : [context.namespace, context.workflowId];
    const metadata = {
      encoding: encrypted,
      'encryption-key-id': text.encode(keys.current.id),
      ...(run && {
        'scriptrail-namespace': text.encode(run[0]),
        [workflowIdKey]: text.encode(run[1]),
      }),
    };
    const boundTo = run?.join('\n');
    return payloads.map((payload) => ({
      metadata,
      data: keys.encrypt(temporal.api.common.v1.Payload.encode(payload).finish(), boundTo),
    }));
  }

  /**
   * @throws ValueError if the payload is not encrypted or belongs to another workflow
   * @throws Error if no key opens it: Temporal retries until the ring has the key
   */
  async decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return payloads.map((payload) => {
      const stated = (name: string): string => read.decode(payload.metadata?.[name] ?? undefined);
      if (stated('encoding') !== encoding) return this.unencrypted(payload, context);
      if (!payload.data) throw new ValueError('An encrypted payload has no data');
      const namespace = stated('scriptrail-namespace');
      const workflowId = stated(workflowIdKey);
      // A payload that was encoded without a context names no run.
      const isBound = workflowId !== '';
      if (isBound && context && !isOf(context, namespace, workflowId))
        throw new ValueError('The payload belongs to another run');
      const keys = this.ringOf(context) ?? this.any;
      const opened = keys.decrypt(
        stated('encryption-key-id'),
        payload.data,
        isBound ? `${namespace}\n${workflowId}` : undefined,
      );
      return temporal.api.common.v1.Payload.decode(opened);
    });
  }

  private ringOf(context: SerializationContext | undefined): KeyRing | undefined {
    if (context === undefined) return undefined;
    const isDelivery = context.type === 'activity' && context.workflowId?.startsWith(eventsRunPrefix);
    return isDelivery ? (this.events ?? this.own) : this.own;
  }

  private unencrypted(payload: Payload, context: SerializationContext | undefined): Payload {
    if (this.reader === 'codec server') return payload;
    // Workflow input, signal or update: the workflow rejects it. An error here would fail its task forever.
    if (this.reader === 'worker' && context?.type === 'workflow')
      return defaultPayloadConverter.toPayload(unencryptedPayload);
    throw new ValueError('The payload is not encrypted');
  }
}

export const workflowIdOf = ({ metadata }: Payload): string | undefined =>
  metadata?.[workflowIdKey] && read.decode(metadata[workflowIdKey]);
/** Temporal appends the time to ids of scheduled workflows, and passes each the last result. */
const scheduledAt = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const isOf = (context: SerializationContext, namespace: string, workflowId: string): boolean =>
  context.namespace === namespace &&
  (context.workflowId === workflowId ||
    context.workflowId?.replace(scheduledAt, '') === workflowId.replace(scheduledAt, ''));

export const failureConverterPath = fileURLToPath(new URL('./failure-converter.cjs', import.meta.url));

/** The data converter of clients and workers: JSON payloads and failures, both encrypted. */
export const encryptedDataConverter = (keys: CodecKeys, reader: 'worker' | 'client'): DataConverter => ({
  payloadCodecs: [new EncryptionCodec(keys, reader)],
  failureConverterPath,
});
