import type { PharmacyUpdate } from '../../../domain/orchestrator/shipments.js';
import type { NotificationActivities } from '../../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../../activities/orchestrator/patients.js';
import type {
  ShipmentUpdateActivities,
  UpdatedShipment,
} from '../../../activities/orchestrator/shipment-updates.js';
import type { followShipment as workflow } from '../../../workflows/orchestrator/follow-shipment.js';
import {
  goodActivities,
  type PipelineActivities,
  refusal,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

type Activities = ShipmentUpdateActivities & NotificationActivities & PatientActivities;

const submissionId = '00000000-0000-5000-8000-000000000006';

/** One update, and the shipment as it stands once that is recorded. */
function following(
  state: PharmacyUpdate['state'],
  shipment: Partial<UpdatedShipment['shipment']> = {},
  replaced: Partial<Activities> = {},
) {
  const order = { submissionId, pharmacy: 'pharmacy_b', trackingNumber: '1Z', carrier: 'ups' };
  const update: PharmacyUpdate = { ...order, sourceOrderId: 'task', pharmacyOrderId: 'b-1', state };
  const known = { taskId: 'task', emrPatientId: 'patient-1', shipmentId: null, isFirstOrder: true };
  const fetchPatient = goodActivities().activities[
    'fetchPatient'
  ] as unknown as PipelineActivities['fetchPatient'];
  const activities: Activities = {
    recordShipmentUpdate: async () => ({
      shipment: { ...order, ...known, state, ...shipment },
      emrPatientId: 'patient-1',
      medication: 'Semaglutide 5mg/mL',
    }),
    createShipment: async () => ({ carrier: 'ups' }),
    fetchPatient,
    fetchContact: async () => ({ name: 'Ada Test', email: 'ada@example.test' }),
    notifyPatient: async () => undefined,
    ...replaced,
  };
  return { args: [] as [], activities, startedBy: { signal: 'pharmacyUpdate', args: [update] } };
}

export const followShipment: CasesOf<typeof workflow> = {
  shipped: following('shipped'),
  'shipped-with-our-label': following('shipped', { shipmentId: 's', isFirstOrder: false }),
  'shipped-without-tracking': following('shipped', { trackingNumber: null }),
  'not-told': following('shipped', {}, { createShipment: refusal('The address is unknown') }),
  delivered: following('delivered'),
  cancelled: following('cancelled'),
  'late-word': following('shipped', { state: 'delivered' }),
  'no-word': { args: [], activities: {}, skipTime: true },
  running: { ...following('shipped'), openAt: 'createShipment' },
};
