import type { PlacedOrder } from '../../db/orchestrator/orders.js';
import type { Shipment } from '../../db/orchestrator/shipments.js';
import { readPatient } from '../../domain/orderable-patient.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { businessDay } from '../../platform/business-day.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { followShipment, makeLabelAgain } from '../../starts/orchestrator.js';
import type { ServiceContext } from '../context.js';
import { unavailable } from '../http-errors.js';

const emrTimeoutMs = 4_000;

/**
 * Makes a shipment that was given up once more (D109): the label where we make it, else the tracking made known again, each
 * under its own key, so that there is one at most.
 * @returns why not; null once it is under way
 */
export async function shipAgain(
  { temporal, config }: ServiceContext,
  order: PlacedOrder,
  shipment: Shipment | undefined,
): Promise<string | null> {
  const { reference, taskId, runId, emrPatientId, submissionId, pharmacy, pharmacyOrderId } = order;
  if (shipment?.state === 'shipped' && shipment.trackingNumber !== null) {
    const { trackingNumber, carrier } = shipment;
    const placed = { submissionId, sourceOrderId: reference, pharmacy, pharmacyOrderId };
    await followShipment(temporal, taskId, { ...placed, state: 'shipped', trackingNumber, carrier });
    return null;
  }
  if (shipment?.state === 'delivered' || shipment?.state === 'cancelled')
    return `The order is ${shipment.state}`;
  const { EMR_BASE_URL: baseUrl, EMR_TOKEN: token } = config.service('orchestrator');
  const emr = createEmrClient({ baseUrl, token });
  const record = await emr.readPatient(emrPatientId, { timeoutMs: emrTimeoutMs }).catch((error: unknown) => {
    throw error instanceof OutboundError ? unavailable('Temporarily unavailable') : error;
  });
  if (!record) return 'The EMR has no such patient';
  const reading = readPatient(record, { today: businessDay(config.BUSINESS_TIMEZONE) });
  if ('missing' in reading) return `The record lacks ${reading.missing.join(', ')}`;
  const lost = {
    shipment: { submissionId, taskId: reference, emrPatientId, pharmacy },
    order: { submissionId, pharmacy, pharmacyOrderId },
    patient: reading.patient,
    runId,
    // Long ago: it is asked for at once.
    lostAtMs: 0,
  };
  await makeLabelAgain(temporal, lost, 0);
  return null;
}
