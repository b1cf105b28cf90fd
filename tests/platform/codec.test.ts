import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter, type Payload, type SerializationContext } from '@temporalio/common';
import { unencryptedPayload } from '../../domain/temporal.js';
import type { Key } from '../../platform/crypto/key-ring.js';
import { type CodecKeys, EncryptionCodec, type Reader } from '../../platform/temporal/codec.js';

const key = (id: string): Key => ({ id, key: randomBytes(32) });
const value = { patient: 'p1' };
const plain = defaultPayloadConverter.toPayload(value);

const run = (workflowId: string, namespace = 'default'): SerializationContext => ({
  type: 'workflow',
  namespace,
  workflowId,
});
const activity = (workflowId?: string): SerializationContext => ({
  type: 'activity',
  namespace: 'default',
  isLocal: false,
  ...(workflowId === undefined ? {} : { workflowId }),
});
const written = async (
  keys: CodecKeys,
  context?: SerializationContext,
  payload = plain,
): Promise<Payload> => {
  const [encoded] = await new EncryptionCodec(keys, 'worker').encode([payload], context);
  return encoded!;
};
const opened = async (
  keys: CodecKeys,
  payload: Payload,
  context?: SerializationContext,
  reader: Reader = 'worker',
): Promise<unknown> => {
  const [decoded] = await new EncryptionCodec(keys, reader).decode([payload], context);
  return defaultPayloadConverter.fromPayload(decoded!);
};
const metadata = ({ metadata = {} }: Payload, name: string): string =>
  Buffer.from(metadata?.[name] ?? []).toString();

const router: CodecKeys = { own: [key('router-1')] };
const foreign = 'The payload belongs to another run';

describe('a payload', () => {
  it('opens in the run that it was written for, and its metadata names that run', async () => {
    const sealed = await written(router, run('submission:1'));
    expect(metadata(sealed, 'scriptrail-workflow-id')).toBe('submission:1');
    expect(await opened(router, sealed, run('submission:1'))).toEqual(value);
    expect(await opened(router, sealed, activity('submission:1'))).toEqual(value);
    expect(await opened(router, sealed)).toEqual(value);
  });

  it('opens in no other run, namespace or activity, whatever it says of itself (D90)', async () => {
    const sealed = await written(router, run('submission:1'));
    for (const elsewhere of [
      run('submission:2'),
      run('submission:1', 'other'),
      activity('submission:2'),
      activity(),
    ])
      await expect(opened(router, sealed, elsewhere)).rejects.toThrow(foreign);
    const renamed = { ...sealed.metadata, 'scriptrail-workflow-id': Buffer.from('submission:2') };
    await expect(opened(router, { ...sealed, metadata: renamed }, run('submission:2'))).rejects.toThrow();
    const { 'scriptrail-workflow-id': _, ...unbound } = sealed.metadata!;
    await expect(opened(router, { ...sealed, metadata: unbound }, run('submission:2'))).rejects.toThrow();
  });

  it('of one run of a schedule opens in the next, which is handed its result', async () => {
    const sealed = await written(router, run('refill-check-2026-11-21T06:00:00Z'));
    expect(await opened(router, sealed, run('refill-check-2026-11-22T06:00:00Z'))).toEqual(value);
    expect(
      await opened(
        router,
        await written(router, run('refill-check')),
        run('refill-check-2026-11-22T06:00:00Z'),
      ),
    ).toEqual(value);
    await expect(opened(router, sealed, run('refill-check:1'))).rejects.toThrow(foreign);
  });

  it('with a key that is not in the ring does not open (D90)', async () => {
    const old = await written({ own: [key('k1')] });
    await expect(opened(router, old, run('submission:1'))).rejects.toThrow('No key k1 in the ring');
  });
});

describe('a payload that is not encrypted (D90)', () => {
  it('is refused by clients and activities', async () => {
    const refused = 'The payload is not encrypted';
    await expect(opened(router, plain, run('submission:1'), 'client')).rejects.toThrow(refused);
    await expect(opened(router, plain, activity('submission:1'))).rejects.toThrow(refused);
    await expect(opened(router, plain)).rejects.toThrow(refused);
  });

  it('reaches a run as something it refuses by itself, with nothing of what it held', async () => {
    expect(await opened(router, plain, run('submission:1'))).toEqual(unencryptedPayload);
  });

  it('is shown as it is by the codec server alone', async () => {
    expect(await opened(router, plain, undefined, 'codec server')).toEqual(value);
  });
});

describe('the rings of services', () => {
  const events = [key('events-1')];
  const bridge: CodecKeys = { own: [key('bridge-1')], events };
  const orchestrator: CodecKeys = { own: [key('orchestrator-1')], events };
  const delivery = 'events:orchestrator:bridge:1';

  it('open nothing of another service', async () => {
    const sealed = await written(bridge, run('emr-sync:1'));
    await expect(opened(orchestrator, sealed, run('emr-sync:1'))).rejects.toThrow('No key bridge-1');
  });

  it('meet where an event is handed over, both ways, and there only', async () => {
    const event = await written(bridge, activity(delivery));
    expect(await opened(orchestrator, event, activity(delivery))).toEqual(value);
    const answer = await written(orchestrator, activity(delivery));
    expect(await opened(bridge, answer, activity(delivery))).toEqual(value);
    expect(await opened(bridge, answer)).toEqual(value);
    const asStart = await written(bridge, activity('approval:1'));
    await expect(opened(orchestrator, asStart, activity('approval:1'))).rejects.toThrow('No key bridge-1');
    expect(metadata(await written(bridge, run(delivery)), 'encryption-key-id')).toBe('bridge-1');
  });

  it("cannot start a run with the events' keys", async () => {
    const forged = await written({ own: events }, run('approval:1'));
    await expect(opened(orchestrator, forged, run('approval:1'))).rejects.toThrow('No key events-1');
    const inDelivery = await written({ own: events }, run(delivery));
    await expect(opened(orchestrator, inDelivery, run(delivery))).rejects.toThrow('No key events-1');
  });

  it('are all read by the codec server, also where two named their keys alike', async () => {
    const [mine, yours] = [{ own: [key('k1')] }, { own: [key('k1')] }];
    const all = { own: [...mine.own, ...yours.own], events };
    for (const keys of [mine, yours])
      expect(await opened(all, await written(keys, run('a')), undefined, 'codec server')).toEqual(value);
  });
});

describe('the rotation of a ring', () => {
  it('writes with the new key, reads with the old one until it is dropped (D90)', async () => {
    const [before, after] = [key('router-1'), key('router-2')];
    const begun = await written({ own: [before] }, run('submission:1'));
    const rotated = { own: [after, before] };
    expect(await opened(rotated, begun, run('submission:1'))).toEqual(value);
    const next = await written(rotated, run('submission:1'));
    expect(metadata(next, 'encryption-key-id')).toBe('router-2');
    // The other processes have the new key before the first of them writes with it.
    expect(await opened({ own: [before, after] }, next, run('submission:1'))).toEqual(value);
    expect(await opened({ own: [after] }, next, run('submission:1'))).toEqual(value);
    await expect(opened({ own: [after] }, begun, run('submission:1'))).rejects.toThrow('No key router-1');
  });
});
