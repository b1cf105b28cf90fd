import type { LabelActivities } from '../../../activities/orchestrator/lost-labels.js';
import { settleSeconds } from '../../../domain/settling.js';
import type { settleShipment as workflow } from '../../../workflows/orchestrator/settle-shipment.js';
import {
  failingFirst,
  goodActivities,
  outage,
  refusal,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected } from '../cases.js';

type Activities = LabelActivities;

const good = goodActivities();
const submissionId = '00000000-0000-5000-8000-000000000001';
const order = { submissionId, pharmacy: 'pharmacy_c', pharmacyOrderId: 'case-1' };
const shipment = { submissionId, taskId: 'task', emrPatientId: 'patient-1', pharmacy: 'pharmacy_c' };
const runId = '00000000-0000-4000-8000-00000000000a';

/** A label whose answers were lost a moment ago. */
function settling(expect: Expected, replaced: Partial<Activities> = {}) {
  const activities: Activities = {
    planLabelLooks: async () => ({
      looksAtMs: settleSeconds.map((seconds) => Date.now() + seconds * 1_000),
    }),
    needsLabel: async () => true,
    createLabel: good.createLabel,
    recordSettledLabel: async () => undefined,
    recordFailedShipment: async () => undefined,
    ...replaced,
  };
  const patient = {
    firstName: 'Ada',
    lastName: 'Test',
    dob: '1990-01-31',
    gender: 'female' as const,
    phone: '2125550100',
    address: { line1: '1 Main St', city: 'New York', state: 'NY', zip: '10001' },
    contact: { name: 'Ada Test' },
  };
  const args: Parameters<typeof workflow> = [{ order, shipment, patient, runId, lostAtMs: 0 }];
  return { args, activities, skipTime: true as const, expect };
}

export const settleShipment: CasesOf<typeof workflow> = {
  recorded: settling(
    {
      behavior: 'it is asked for under its key until there is an answer, and recorded with its run',
      result: 'recorded',
      times: { createLabel: 3, recordFailedShipment: 0 },
      inputs: { recordSettledLabel: [{ runId, shipment: { ...shipment, label: { shipmentId: 's' } } }] },
    },
    { createLabel: failingFirst(2, good.createLabel) },
  ),
  'in-vain': settling(
    {
      behavior: 'asked five times in vain, a person is told',
      result: 'given up',
      times: { createLabel: 5, recordSettledLabel: 0 },
      inputs: { recordFailedShipment: [{ submissionId, reference: 'task', reason: 'unanswered' }] },
    },
    { createLabel: outage },
  ),
  refused: settling(
    {
      behavior: 'a no is asked for once',
      result: 'given up',
      times: { createLabel: 1 },
      inputs: { recordFailedShipment: [{ reason: 'refused' }] },
    },
    { createLabel: refusal('The address is unknown') },
  ),
  over: settling(
    {
      behavior: 'no label is asked for any more once its order is at its end',
      result: 'over',
      times: { createLabel: 0, recordFailedShipment: 0 },
    },
    { needsLabel: async () => false },
  ),
};
