import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGuardedSender, isPublicAddress } from '../../platform/http/guarded.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { type Receiver, startReceiver } from '../helpers/receiver.js';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(({ body }) => {
    if (body === 'redirect') return { status: 302, headers: { location: receiver.url } };
    return body === 'hang' ? 'hang' : 202;
  });
});
afterAll(() => receiver.stop());

const post = (url: string, body = '{}', options: Partial<Parameters<typeof createGuardedSender>[0]> = {}) =>
  createGuardedSender({ allowPrivate: false, privateHosts: [], ...options })({
    party: 'The receiver',
    url,
    headers: { 'content-type': 'application/json' },
    body,
    timeoutMs: body === 'hang' ? 300 : 30_000,
    signal: new AbortController().signal,
  });
const refusal = new OutboundError('The receiver', { kind: 'network', code: 'PRIVATE_ADDRESS' });
const portOf = (url: string) => new URL(url).port;

describe('a URL that somebody else gave us', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '0x7f.0.0.1',
    '2130706433',
    '0177.0.0.1',
    '0.0.0.0',
    '0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::127.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fec0::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    'localhost',
    'LOCALHOST',
  ])('is refused, and nothing is dialled, at %s', async (host) => {
    const before = receiver.received.length;
    await expect(post(`http://${host}:${portOf(receiver.url)}/callbacks`)).rejects.toEqual(refusal);
    expect(receiver.received).toHaveLength(before);
  });

  test.each(['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    'may be at the public address %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each(['169.254.169.254', '::ffff:10.0.0.1', '64:ff9b::a00:1', 'fe80::1', '::10.0.0.1'])(
    'may not resolve to %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(false);
    },
  );

  test('may be private where private addresses are allowed, or its host is listed with its port', async () => {
    const { port } = new URL(receiver.url);
    const named = `http://localhost:${port}/callbacks`;
    expect(await post(receiver.url, '{}', { allowPrivate: true })).toEqual({ status: 202 });
    expect(await post(receiver.url, '{}', { privateHosts: [`127.0.0.1:${port}`] })).toEqual({ status: 202 });
    expect(await post(named, '{}', { privateHosts: [`localhost:${port}`] })).toEqual({ status: 202 });
    for (const elsewhere of ['localhost:1', 'localhost', '127.0.0.1', `127.0.0.1:${port}`])
      await expect(post(named, '{}', { privateHosts: [elsewhere] })).rejects.toEqual(refusal);
  });

  test('is not followed where it leads on to', async () => {
    const before = receiver.received.length;
    expect(await post(receiver.url, 'redirect', { allowPrivate: true })).toEqual({ status: 302 });
    expect(receiver.received).toHaveLength(before + 1);
  });

  test('that keeps silent is given up in time', async () => {
    await expect(post(receiver.url, 'hang', { allowPrivate: true })).rejects.toEqual(
      new OutboundError('The receiver', { kind: 'timeout', timeoutMs: 300 }),
    );
  });
});
