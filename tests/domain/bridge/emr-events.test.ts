import { describe, expect, test } from '@jest/globals';
import type { Dosage, Medication } from 'fhir/r4.js';
import { requestedApproval, taskOf } from '../../../domain/orchestrator/emr-approval.js';
import { emrDetailType, normalizeWebhook } from '../../../domain/bridge/emr-events.js';

describe('the name of an EMR event', () => {
  test.each([
    ['MedicationRequest.activated', 'emr.medication_request.activated'],
    ['MedicationDispense.completed', 'emr.medication_dispense.completed'],
    ['Appointment.booked', 'emr.appointment.booked'],
    ['Patient.updated', 'emr.patient.updated'],
    ['Task.completed', 'emr.task.completed'],
    ['ServiceRequest.on-hold', 'emr.service_request.on-hold'],
    ['MDSReport.sent', 'emr.mds_report.sent'],
  ])('%s is %s', (event, expected) => {
    expect(emrDetailType(event)).toBe(expected);
  });
});

test('an envelope carries the resource as received', () => {
  const resource = { resourceType: 'Task', id: 't-1', extension: [{ valueDecimal: 1.5 }] };
  expect(
    normalizeWebhook(
      { event: 'Task.completed', timestamp: '2026-01-02T03:04:05.000Z', resource },
      { webhookEventId: 'w-1', receivedAt: new Date('2026-01-02T03:04:06Z') },
    ),
  ).toEqual({
    webhookEventId: 'w-1',
    emrEventName: 'Task.completed',
    resourceType: 'Task',
    resourceId: 't-1',
    emrEventTimestamp: '2026-01-02T03:04:05.000Z',
    receivedAt: '2026-01-02T03:04:06.000Z',
    resource,
  });
});

describe('an activated MedicationRequest', () => {
  test('belongs to the task that its identifier in the system of tasks names', () => {
    const identifier = [
      { system: 'https://elsewhere.test', value: 'other' },
      { system: 'https://mrn.test/task', value: 'task-1' },
    ];
    expect(taskOf({ identifier }, 'https://mrn.test/task')).toBe('task-1');
    expect(taskOf({ identifier }, 'https://mrn.test')).toBeUndefined();
    expect(taskOf({}, 'https://mrn.test/task')).toBeUndefined();
  });

  test('names patient, medication and directions', () => {
    expect(
      requestedApproval({
        subject: { reference: 'Patient/p-1' },
        medicationCodeableConcept: {
          coding: [{ code: '1991302' }, { code: 'semaglutide' }],
          text: 'semaglutide',
        },
        dosageInstruction: [{ text: 'inject 20 units weekly' }],
      }),
    ).toEqual({
      isForbidden: false,
      emrPatientId: 'p-1',
      medicationKeys: ['1991302', 'semaglutide'],
      dosage: 'inject 20 units weekly',
    });
  });

  test.each<[string, Dosage[], string | null | undefined]>([
    ['none', [], undefined],
    [
      'two without a sequence',
      [{ text: '0.25 mg, 4 weeks' }, { text: 'then 0.5 mg' }],
      '0.25 mg, 4 weeks; then 0.5 mg',
    ],
    [
      'three in another order',
      [
        { text: 'rotate the site' },
        { text: 'then 0.5 mg', sequence: 7 },
        { text: '0.25 mg, 4 weeks', sequence: 1 },
      ],
      '0.25 mg, 4 weeks; then 0.5 mg; rotate the site',
    ],
    [
      'a dose without a text',
      [{ text: '0.25 mg' }, { doseAndRate: [{ doseQuantity: { value: 0.5 } }] }],
      null,
    ],
    ['a blank text', [{ text: ' ' }], null],
  ])(
    'with instructions that are %s has all of them as directions, or none',
    (_name, dosageInstruction, expected) => {
      expect(requestedApproval({ dosageInstruction }).dosage).toBe(expected);
    },
  );

  test('names its medication in a contained resource', () => {
    const contained: Medication[] = [
      { resourceType: 'Medication', id: 'other', code: { text: 'tirzepatide' } },
      { resourceType: 'Medication', id: 'm-1', code: { coding: [{ code: 'semaglutide' }] } },
    ];
    const named = (reference: string) =>
      requestedApproval({ contained, medicationReference: { reference } }).medicationKeys;
    expect(named('#m-1')).toEqual(['semaglutide']);
    expect(named('Medication/m-1')).toEqual([]);
  });

  test('that asks for nothing to be given says so', () => {
    expect(requestedApproval({ doNotPerform: true }).isForbidden).toBe(true);
  });

  test.each([
    ['https://emr.test/fhir/R4/Patient/p-1', 'p-1'],
    ['Patient/p-1/_history/3', 'p-1'],
    ['Practitioner/p-1', undefined],
    ['#contained', undefined],
  ])('whose subject is %s is about the patient %s', (reference, expected) => {
    expect(requestedApproval({ subject: { reference } }).emrPatientId).toBe(expected);
  });

  test('that says nothing asks for nothing', () => {
    expect(requestedApproval({})).toEqual({
      isForbidden: false,
      emrPatientId: undefined,
      medicationKeys: [],
      dosage: undefined,
    });
  });
});
