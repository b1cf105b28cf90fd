import { describe, expect, it } from '@jest/globals';
import { rxOutcome, rxPharmacy, rxState, rxStep, rxWarnings } from '../../../workflows/search-attributes.js';
import { type Case, ownRun } from '../../replay/cases.js';
import { builtInMedication } from '../../../domain/orchestrator/medications.js';
import {
  approval,
  approvePrescription,
  blocked,
  carryingOn,
  warning,
} from '../../replay/cases/approve-prescription.js';
import { useRuns } from '../runs.js';
import {
  failingFirst,
  goodActivities,
  outage,
  ownOutage,
  refusal,
  unanswered,
} from './pipeline-activities.js';

const { run, testCases } = useRuns('approvePrescription');

describe('an approval', () => {
  testCases(approvePrescription);
  testCases({
    'no label': warning('the steps after it are attempted', ['shipment_failed'], { shipOrder: refusal() }),
    'not told': warning('the run succeeds', ['notification_failed'], { notifyPatient: refusal() }),
    'EMR down': blocked(
      2,
      'Find patient in EMR',
      { error: 'The other side answered 503', code: 'emr_unavailable' },
      outage,
      4,
    ),
    'router away for longer than is waited': blocked(
      4,
      'Submit to pharmacy',
      { error: 'Router could not be reached (ECONNREFUSED)', code: 'internal' },
      refusal('Router could not be reached (ECONNREFUSED)', 'Unavailable'),
    ),
    inactive: approval(
      {
        behavior: 'an inactive medication fails at step 1 like an unknown one, and nothing is ordered',
        failure: {
          type: 'StepFailed',
          message: 'Step 1/7 Medication configuration: Unknown medication: semaglutide',
        },
        calls: ['claimTask', 'recordOutcome'],
      },
      { claimTask: async () => ({ config: { ...builtInMedication('semaglutide')!, isActive: false } }) },
    ),
    'foreign text': blocked(
      2,
      'Find patient in EMR',
      { error: 'Internal failure', code: 'emr_unavailable' },
      refusal('Ada Test, born 1990-01-31', 'SomethingElse'),
    ),
  });

  const faults = {
    fetchPatient: 3,
    // Failed attempts of our own services and database are not counted.
    submitToPharmacy: 60,
    chargeSavedCard: 60,
    shipOrder: 60,
    notifyPatient: 60,
    recordOutcome: 60,
    claimTask: 60,
  };
  for (const [name, times] of Object.entries(faults)) {
    const activity = goodActivities()[name as keyof typeof faults] as (input: unknown) => Promise<never>;
    const replaced = { [name]: failingFirst(times, activity) };
    testCases({ [`${name} failing ${times} times`]: warning('is overcome without a warning', [], replaced) });
  }

  it('tells a person of a label that was refused, and not yet of one whose answers were lost', async () => {
    const told = async (shipOrder: () => never) => {
      const { inputs } = await run(warning('', [], { shipOrder }), undefined, { isTimeSkipped: false });
      return inputs('recordOutcome');
    };
    const failedShipment = { submissionId: '00000000-0000-5000-8000-000000000001', taskId: 'task' };
    expect(await told(refusal())).toMatchObject([{ failedShipment }]);
    expect(await told(unanswered)).not.toMatchObject([{ failedShipment }]);
  });

  testCases({
    'no address': carryingOn(
      {
        behavior: 'tells a person of a label whose address the router did not give for an hour',
        times: { shipOrder: 0, notifyPatient: 1 },
        inputs: {
          recordOutcome: [{ failedShipment: { taskId: 'task' }, result: { warnings: ['shipment_failed'] } }],
        },
      },
      { readAddressee: ownOutage },
    ),
  });

  it('is found by the step that it waits for, as long as it waits', async () => {
    const attributes: unknown[] = [];
    const shipOrder = failingFirst(1, async () => {
      const { typedSearchAttributes: found } = await ownRun().describe();
      attributes.push([rxStep, rxState, rxPharmacy].map((key) => found.get(key)));
    });
    const { handle } = await run(warning('', [], { shipOrder }));
    expect(attributes).toEqual([['shipment', 'NY', 'pharmacy_c']]);
    expect((await handle.describe()).typedSearchAttributes.get(rxStep)).toBe('completed');
  });

  it('is found by outcome, failed step and warnings', async () => {
    const attributes = async (one: Case) => (await (await run(one)).handle.describe()).typedSearchAttributes;
    const warned = await attributes(warning('', [], { shipOrder: refusal() }));
    const failed = await attributes(blocked(2, '', { error: '', code: '' }, refusal()));
    expect([warned.get(rxOutcome), warned.get(rxWarnings)]).toEqual(['WARN', ['shipment_failed']]);
    expect([failed.get(rxOutcome), failed.get(rxStep)]).toEqual(['FAILED', 'patient_details']);
  });
});
