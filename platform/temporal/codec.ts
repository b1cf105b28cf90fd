import {
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

/** The rings that one service encrypts and reads with (D90). */
export interface CodecKeys {
  /** Of the service itself: everything in its own runs. */
  own: readonly Key[];
  /** Of all that publish or hear of events: what a run that delivers events and its activities tell each other. */
  events?: readonly Key[] | undefined;
}

/** Who reads: whom a payload that is not encrypted must never reach, or the one who shows what there is. */
export type Reader = 'worker' | 'client' | 'codec server';

const encoding = 'binary/encrypted';
/** In the clear: the run that a payload belongs to, which Temporal shows anyway, so that a decode can name it (D88). */
const workflowIdKey = 'scriptrail-workflow-id';
const text = new TextEncoder();
const read = new TextDecoder();
const encrypted = text.encode(encoding);

/**
 * Encrypts every payload before it leaves the process, so that nothing about a patient is readable in Temporal, and
 * takes nothing that did not come from one of us (D90). Key id, namespace and workflow id travel along in the
 * metadata: a ring of keys can rotate, and a payload opens in the run it was made for and in no other. Synchronous
 * inside: at these sizes that costs less than a trip through the thread pool.
 */
export class EncryptionCodec implements PayloadCodec {
  private readonly own: KeyRing;
  private readonly events: KeyRing | undefined;
  /** For what comes without saying where from. */
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
   * @throws ValueError for what is not encrypted, where a run cannot say so itself, and for what belongs to another run
   * @throws Error for what no key of the ring opens: the ring may yet be mended, so the run waits for that
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

  /** Undefined where nothing is said of where a payload is from or goes to. */
  private ringOf(context: SerializationContext | undefined): KeyRing | undefined {
    if (context === undefined) return undefined;
    const isDelivery = context.type === 'activity' && context.workflowId?.startsWith(eventsRunPrefix);
    return isDelivery ? (this.events ?? this.own) : this.own;
  }

  private unencrypted(payload: Payload, context: SerializationContext | undefined): Payload {
    if (this.reader === 'codec server') return payload;
    // What a run is started with, signalled or asked: refused by the run, or its task would fail without an end.
    if (this.reader === 'worker' && context?.type === 'workflow')
      return defaultPayloadConverter.toPayload(unencryptedPayload);
    throw new ValueError('The payload is not encrypted');
  }
}

/** The run that an encrypted payload says it belongs to. */
export const workflowIdOf = ({ metadata }: Payload): string | undefined =>
  metadata?.[workflowIdKey] && read.decode(metadata[workflowIdKey]);
/**
 * The runs that a schedule starts count as one: Temporal adds the time to the id of each, and hands it the result of
 * the one before.
 */
const scheduledAt = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const isOf = (context: SerializationContext, namespace: string, workflowId: string): boolean =>
  context.namespace === namespace &&
  (context.workflowId === workflowId ||
    context.workflowId?.replace(scheduledAt, '') === workflowId.replace(scheduledAt, ''));
