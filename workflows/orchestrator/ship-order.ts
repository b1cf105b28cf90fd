import type { PharmacyOrder } from '../../activities/orchestrator/pharmacy.js';
import type { ShipmentActivities } from '../../activities/orchestrator/shipments.js';
import { failureTypes } from '../../domain/failures.js';
import type { Addressee } from '../../domain/orchestrator/shipments.js';
import { usesOurLabel } from '../../domain/pharmacies.js';
import { failureOf, threeTries } from '../proxies.js';
import { startSettleShipment } from './settle-shipment.js';

// About 12 s (D34); an outage of our database is waited out.
const shipping = threeTries<ShipmentActivities>({
  startToCloseTimeout: '4500 ms',
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

/**
 * Step 6: creates a label for a pharmacy that uses ours; the others ship later and report it by callback (D38). If all
 * answers are lost, a run of its own reconciles the label (D114).
 */
export async function shipOrder(
  title: string,
  { reference, emrPatientId, runId }: { reference: string; emrPatientId: string; runId: string | null },
  placed: PharmacyOrder,
  readAddressee: () => Promise<Addressee>,
): Promise<void> {
  const { submissionId, pharmacy } = placed;
  const shipment = { submissionId, taskId: reference, emrPatientId, pharmacy };
  const patient = usesOurLabel(pharmacy) ? await readAddressee() : undefined;
  try {
    await shipping(title, (activities) => activities.shipOrder({ shipment, order: placed, patient }));
  } catch (error) {
    if (patient && failureOf(error).type === failureTypes.unavailable)
      await startSettleShipment({ shipment, order: placed, patient, runId, lostAtMs: Date.now() });
    throw error;
  }
}
