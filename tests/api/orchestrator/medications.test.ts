import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { rx } from '../../cli/rx.js';
import { call, freshTask, sandbox, shared } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { approve, chargesOf, messagesTo, ordersOf, semaglutideFor } from './approvals.js';
import { ladder, newPlan } from './plans.js';

const dev = shared();
const path = '/orchestrator/medications';

interface Answer {
  medication: Record<string, unknown> | null;
  medications: { key: string; source: string }[];
  error: string;
  schedules: string[];
  details: { path: string; message: string }[];
}
const ask = (method: string, key: string, body?: unknown) =>
  call<Answer>(dev, 'orchestrator', { key: 'admin', method, path: `${path}/${key}`, body });
const list = async () => (await call<Answer>(dev, 'orchestrator', { path })).body.medications;
const preflight = async (body: unknown) =>
  (
    await call<{ ready: boolean; findings: { code: string; message: string }[] }>(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/preflight',
      body,
    })
  ).body;

const freshKey = () => `semaglutide_${randomUUID().slice(0, 8)}`;
const tenfold = {
  displayName: 'Semaglutide 10mg/mL',
  sig: 'inject 25 units (2.5mg) SQ weekly',
  quantity: '2.50',
  priceCents: 34_900,
};
const concentrationNote = 'Verify the concentration on the vial before drawing the dose.';
const withCard = async (state = 'NY') => {
  const patient = await newPatient(dev, state);
  await saveCard(dev, patient);
  return patient;
};

describe('A second strength (D123, D124)', () => {
  test('is rejected before any call, by preflight and by approve, until the pharmacy has its article', async () => {
    const key = freshKey();
    await ask('PUT', key, tenfold);
    const patient = await withCard();
    const approval = { ...semaglutideFor(patient.id), medication: key };
    const { ready, findings } = await preflight(approval);
    expect([ready, findings.map(({ code }) => code)]).toEqual([false, ['medication_not_at_pharmacy']]);
    expect(findings[0]?.message).toMatch(/: pharmacy_c$/);
    const { status, body } = await approve(dev, approval);
    expect([status, body.failedStep, body.error]).toEqual([
      500,
      'pharmacy_submission',
      'No article of pharmacy_c for this strength',
    ]);
    expect(await ordersOf(dev, approval.taskId)).toEqual([]);
    expect(await chargesOf(dev, approval.taskId)).toEqual([]);
  });

  test('is two calls: one medication and one article; order, charge, note and mail are those of that strength', async () => {
    const key = freshKey();
    const article = `S10-${key}`;
    await sandbox(dev, '/pharmacies/pharmacy_a/articles', { method: 'POST', body: { article } });

    await ask('PUT', key, { ...tenfold, concentrationWarning: true });
    const added = await call(dev, 'router', {
      key: 'admin',
      method: 'PUT',
      path: '/rx/catalog/pharmacy_a',
      body: { match: `text of ${key}`, article, strength: '10mg/mL', medication: key },
    });
    expect(added.status).toBe(200);

    const patient = await withCard();
    const approval = { ...semaglutideFor(patient.id), medication: key };
    expect(await preflight(approval)).toEqual({ ready: true, findings: [] });
    const { status, body } = await approve(dev, approval);
    expect([status, body.result.warnings]).toEqual([200, []]);
    expect(await ordersOf(dev, approval.taskId)).toMatchObject([
      { body: { sku: article, quantity: 2.5, sig: tenfold.sig, note: concentrationNote, daysSupply: 28 } },
    ]);
    expect(await chargesOf(dev, approval.taskId)).toMatchObject([{ amountCents: 34_900 }]);
    for (const { text } of await messagesTo(dev, patient)) expect(text).not.toContain('5mg/mL');
    expect((await messagesTo(dev, patient)).map(({ text }) => text).join()).toContain('Semaglutide 10mg/mL');
  });
});

describe('Medications (D123)', () => {
  test('A stored one has every field, and is listed beside the built-in ones', async () => {
    const key = freshKey();
    const { status, body } = await ask('PUT', key, tenfold);
    const medication = {
      key,
      ...tenfold,
      quantity: '2.5',
      unit: 'mL',
      refills: 3,
      daysSupply: 28,
      concentrationWarning: false,
      sku: null,
      treatment: null,
      indication: null,
      clinicalJustification: null,
      isActive: true,
      source: 'stored',
    };
    expect([status, body]).toEqual([200, { medication }]);
    const all = await list();
    expect(all).toContainEqual(medication);
    expect(all.find((one) => one.key === 'nad')).toMatchObject({ sku: '12832', source: 'built_in' });
  });

  test('PUT replaces the whole row, and the same request again changes nothing', async () => {
    const key = freshKey();
    await ask('PUT', key, { ...tenfold, unit: 'vial', refills: 0, treatment: 'weight-loss' });
    for (let time = 0; time < 2; time += 1)
      expect((await ask('PUT', key, tenfold)).body.medication).toMatchObject({
        unit: 'mL',
        refills: 3,
        treatment: null,
      });
  });

  test.each([
    ['key', 'Semaglutide', tenfold],
    ['key', '_x', tenfold],
    ['displayName', 'x', { ...tenfold, displayName: '  ' }],
    ['quantity', 'x', { ...tenfold, quantity: '0.0' }],
    ['quantity', 'x', { ...tenfold, quantity: 2 }],
    ['priceCents', 'x', { ...tenfold, priceCents: -1 }],
    ['daysSupply', 'x', { ...tenfold, daysSupply: 0 }],
    ['treatment', 'x', { ...tenfold, treatment: 'Weight Loss' }],
  ])('400 on %s', async (field, key, body) => {
    const answer = await ask('PUT', key, body);
    expect(answer.status).toBe(400);
    expect(answer.body.details.map(({ path }) => path)).toEqual([field]);
  });

  test('403 without the scope admin', async () => {
    const { status } = await call(dev, 'orchestrator', { method: 'PUT', path: `${path}/x`, body: tenfold });
    expect(status).toBe(403);
  });

  test('DELETE answers what applies from then on, and 404 where nothing is stored', async () => {
    const key = freshKey();
    await ask('PUT', key, tenfold);
    expect((await ask('DELETE', key)).body).toEqual({ medication: null });
    expect((await ask('DELETE', key)).status).toBe(404);
    expect((await ask('DELETE', 'tirzepatide')).status).toBe(404);
    expect((await list()).map((one) => one.key)).not.toContain(key);
  });

  test('DELETE answers 409 with the schedules that use a key which would vanish', async () => {
    const key = freshKey();
    await ask('PUT', key, tenfold);
    const { id: emrPatientId } = await newPatient(dev);
    const { body } = await call<{ schedule: { id: string } }>(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/refill-schedules',
      body: { emrPatientId, medication: key, totalRefillsAllowed: 1 },
    });
    const { id } = body.schedule;
    const inUse = await ask('DELETE', key);
    expect([inUse.status, inUse.body]).toEqual([409, { error: 'In use', schedules: [id] }]);
    expect(inUse.headers.get('error-code')).toBe('in_use');
    expect((await list()).map((one) => one.key)).toContain(key);
    await call(dev, 'orchestrator', { method: 'POST', path: `/orchestrator/refill-schedules/${id}/cancel` });
    expect((await ask('DELETE', key)).status).toBe(200);
  });

  test('DELETE: 409 while a plan has a phase of it to come', async () => {
    const key = freshKey();
    await ask('PUT', key, tenfold);
    const { id } = await newPlan({ phases: [ladder[0], { medication: key, fills: 1 }] });
    expect((await ask('DELETE', key)).body).toEqual({ error: 'In use', schedules: [id] });
  });

  test('An inactive one is unknown to approve, preflight and new schedules', async () => {
    const key = freshKey();
    await ask('PUT', key, { ...tenfold, displayName: 'Semaglutide 5mg/mL', isActive: false });
    const { id: emrPatientId } = await withCard();
    const approval = { taskId: freshTask(), medication: key, emrPatientId };
    expect((await preflight(approval)).findings.map(({ code }) => code)).toEqual(['unknown_medication']);
    const { body } = await approve(dev, approval);
    expect([body.failedStep, body.error]).toEqual(['medication_config', `Unknown medication: ${key}`]);
    const schedule = { emrPatientId, medication: key, totalRefillsAllowed: 1 };
    const made = await call(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/refill-schedules',
      body: schedule,
    });
    expect(made.status).toBe(400);
  });
});

test('rx medications lists, sets and removes', async () => {
  const key = freshKey();
  expect((await rx('medications', 'set', key, JSON.stringify(tenfold))).stdout).toContain(
    '"source": "stored"',
  );
  expect((await rx('medications', 'list')).stdout).toContain(key);
  expect((await rx('medications', 'remove', key)).stdout).toBe(`${key} is not a medication any more.\n`);
});
