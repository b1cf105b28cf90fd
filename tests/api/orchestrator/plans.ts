import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { call, freshTask, shared } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { checkRefills, dayFromToday } from './refills.js';

const dev = shared();

export interface Plan {
  id: string;
  state: string;
  phase: number;
  fill: number | null;
  fillsSent: number;
  nextFillDate: string;
  waitingFor: { what: string; because: string; fill: number; dueAt: string }[];
  phases: { fills: number; sent: number; daysSupply: number }[];
  stoppedBecause: string | null;
}
export interface PlanAnswer {
  plan: Plan;
  plans: Plan[];
  planId: string;
  checkIn: { id: string; answers: unknown };
  checkIns: { id: string; flagged: boolean }[];
  decisions: { phase: number; by: string; reason: string | null; fill: number }[];
  error: string;
  from: string;
  fill: number;
  details: { path: string }[];
}
/** @param path after that of the plans */
export const plansAt = (path = '', body?: unknown, method = body === undefined ? 'GET' : 'POST') =>
  call<PlanAnswer>(dev, 'orchestrator', {
    path: `/orchestrator/plans${path}`,
    method,
    ...(body === undefined ? {} : { body }),
  });
/** Two phases of two fills; each fill of the first needs a check-in. */
export const ladder = [
  { medication: 'semaglutide', dosage: 'inject 10 units weekly', fills: 2, checkIn: 'fill' },
  { medication: 'semaglutide', dosage: 'inject 20 units weekly', fills: 2 },
];
export const bodyOf = (fields: object = {}) => ({
  planRef: freshTask(),
  emrPatientId: randomUUID(),
  treatment: 'weight-loss',
  phases: ladder,
  ...fields,
});
export async function newPlan(fields: object = {}): Promise<Plan> {
  const { status, body } = await plansAt('', bodyOf(fields));
  expect([status, body.error]).toEqual([201, undefined]);
  return body.plan;
}
/** A plan before its second fill, so many days ahead. */
export const runningPlan = (fields: object = {}, daysAhead = 0) =>
  newPlan({
    running: { phase: 1, sent: 1, lastFillDate: dayFromToday(daysAhead - 27) },
    ...fields,
  });
export const planNow = async ({ id }: Pick<Plan, 'id'>) => (await plansAt(`/${id}`)).body.plan;
/** The missing answer of a plan, and why. */
export const asks = ({ waitingFor }: Plan) => waitingFor.map(({ what, because }) => `${what}:${because}`);
/** The result of a daily check of this plan alone. */
export const checkPlan = async ({ id }: Pick<Plan, 'id'>) => {
  const { body } = await checkRefills(dev, { scheduleIds: [id] });
  return body.results.map(({ processed, reason }) => reason ?? processed);
};
export async function payingPatient(): Promise<string> {
  const patient = await newPatient(dev);
  await saveCard(dev, patient);
  return patient.id;
}
