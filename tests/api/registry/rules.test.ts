import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Answer, call, shared } from '../../helpers/client.js';

const dev = shared();

interface Rule {
  id: string;
  platform: string;
  state: string;
  physicianId: string;
  priority: number;
  isActive: boolean;
}

type Shown<T> = Pick<Answer<T>, 'status' | 'body'>;

async function send<T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
): Promise<Shown<T>> {
  const answer = await call<T>(dev, 'registry', { key: 'admin', method, path, body });
  return { status: answer.status, body: answer.body };
}

async function newPhysician(): Promise<string> {
  const { body } = await send<{ physician: { id: string } }>('POST', '/physicians', {
    firstName: 'Kim',
    lastName: 'Novak',
    npi: '1000000012',
  });
  return body.physician.id;
}

const ruleFor = (physicianId: string) => ({
  platform: 'platform_b',
  state: 'VT',
  physicianId,
  priority: 3,
});

async function newRule(physicianId: string, fields: Partial<Rule> = {}): Promise<Rule> {
  const { body } = await send<{ rule: Rule }>('POST', '/routing-rules', {
    ...ruleFor(physicianId),
    ...fields,
  });
  return body.rule;
}

async function rulesOf(physicianId: string, query = ''): Promise<Rule[]> {
  const { body } = await send<{ rules: Rule[] }>('GET', `/routing-rules${query}`);
  return body.rules.filter((rule) => rule.physicianId === physicianId);
}

const refused = (path: string) => ({
  status: 400,
  body: { error: 'Validation failed', details: [{ path, message: expect.any(String) }] },
});
const unknownRule = { status: 404, body: { error: 'Routing rule not found' } };
const unknownPhysician = { status: 404, body: { error: 'Physician not found' } };
describe('the administration of routing rules', () => {
  test('a physician added with a license and a rule is routed to (page 1, Current rules; D54)', async () => {
    const id = await newPhysician();
    const routed = async () => (await send('GET', '/route?platform=platform_b&state=ND')).body;
    await send('POST', `/physicians/${id}/licenses`, { state: 'ND', licenseNumber: 'ND-1' });
    const rule = await newRule(id, { state: 'ND', priority: 7 });
    expect(await routed()).toMatchObject({ physician: { id }, licenseNumber: 'ND-1', priority: 7 });
    await send('DELETE', `/physicians/${id}`);
    expect(await routed()).toMatchObject({ physician: null });
    await send('POST', `/physicians/${id}/reactivate`);
    expect(await routed()).toMatchObject({ physician: { id } });
    await send('DELETE', `/routing-rules/${rule.id}`);
    expect(await routed()).toMatchObject({ physician: null });
  });

  test('POST 201: the rule, its state in capitals', async () => {
    const physicianId = await newPhysician();
    const { status, body } = await send('POST', '/routing-rules', { ...ruleFor(physicianId), state: 'vt' });
    expect(status).toBe(201);
    expect(body).toEqual({ rule: { ...ruleFor(physicianId), id: expect.any(String), isActive: true } });
  });

  test('GET 200: active rules in the order of routing, or those out of use', async () => {
    const physicianId = await newPhysician();
    const low = await newRule(physicianId, { priority: 1 });
    const high = await newRule(physicianId, { priority: 9 });
    const first = await newRule(physicianId, { state: 'AL' });
    const gone = await newRule(physicianId);
    await send('DELETE', `/routing-rules/${gone.id}`);
    expect(await rulesOf(physicianId)).toEqual([first, high, low]);
    expect(await rulesOf(physicianId, '?active=false')).toEqual([{ ...gone, isActive: false }]);
  });

  test('GET 200: the rules of page 1, Current rules, are there', async () => {
    const ofA = await rulesOf(dev.apiKeys['physician_a']!.physicianId!);
    expect(ofA.map(({ state }) => state)).toEqual(['AK', 'CT', 'HI', 'LA', 'NM', 'NY']);
    expect(ofA).toMatchObject(Array(6).fill({ platform: 'platform_a', priority: 10, isActive: true }));
  });

  test('PUT 200: changes what is given and nothing else', async () => {
    const rule = await newRule(await newPhysician());
    const path = `/routing-rules/${rule.id}`;
    for (const change of [{ priority: -4 }, { isActive: false }, {}, { isActive: true, state: 'me' }]) {
      const { status, body } = await send<{ rule: Rule }>('PUT', path, change);
      Object.assign(rule, change, 'state' in change ? { state: 'ME' } : {});
      expect([status, body]).toEqual([200, { rule }]);
    }
  });

  test('DELETE 200: out of use, also when asked for twice', async () => {
    const rule = await newRule(await newPhysician());
    for (let times = 0; times < 2; times += 1)
      expect(await send('DELETE', `/routing-rules/${rule.id}`)).toEqual({
        status: 200,
        body: { success: true, rule: { ...rule, isActive: false } },
      });
  });

  test('POST, PUT 400 name the field at fault', async () => {
    const rule = await newRule(await newPhysician());
    const wrong = { platform: 'both' };
    expect(await send('POST', '/routing-rules', { ...ruleFor(rule.physicianId), ...wrong })).toEqual(
      refused('platform'),
    );
    expect(await send('PUT', `/routing-rules/${rule.id}`, wrong)).toEqual(refused('platform'));
  });

  test('GET 400: active neither true nor false', async () => {
    expect(await send('GET', '/routing-rules?active=1')).toEqual(refused('active'));
  });

  test('POST, PUT 404: an unknown physician', async () => {
    const rule = await newRule(await newPhysician());
    expect(await send('POST', '/routing-rules', ruleFor(randomUUID()))).toEqual(unknownPhysician);
    const change = { physicianId: randomUUID() };
    expect(await send('PUT', `/routing-rules/${rule.id}`, change)).toEqual(unknownPhysician);
  });

  test('PUT, DELETE 404: an unknown rule', async () => {
    for (const id of [randomUUID(), '42']) {
      expect(await send('PUT', `/routing-rules/${id}`, { priority: 1 })).toEqual(unknownRule);
      expect(await send('DELETE', `/routing-rules/${id}`)).toEqual(unknownRule);
    }
  });
});
