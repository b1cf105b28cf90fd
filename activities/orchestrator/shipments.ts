import type { PatientDetails } from '../../domain/orchestrator/patient.js';
import type { Sql } from '../../db/client.js';
import { findShipment, type NewShipment, openShipment } from '../../db/orchestrator/shipments.js';
import type { CreatedShipment, ShippingClient } from '../../integrations/shipping/client.js';
import { callLimits } from '../call-limits.js';
import { calling, triedThrice } from '../failures.js';
import type { PharmacyOrder } from './pharmacy.js';
import type { Progress } from './progress.js';

export interface ShipmentDependencies {
  sql: Sql;
  shipping: ShippingClient;
}

/** An order for which a label is made. */
interface LabelRequest {
  order: PharmacyOrder;
  patient: PatientDetails;
}

export const createShipmentActivities = ({ sql, shipping }: ShipmentDependencies) => {
  /** Under its key, by which the shipping service knows it again. */
  const askForLabel = ({ order, patient }: LabelRequest): Promise<CreatedShipment> =>
    shipping.createShipment(
      {
        reference: order.submissionId,
        pharmacy: order.pharmacy,
        pharmacyOrderId: order.pharmacyOrderId,
        kind: 'label',
        recipient: {
          ...{ name: `${patient.firstName} ${patient.lastName}`, phone: patient.phone },
          ...patient.address,
        },
      },
      { idempotencyKey: `shipment:${order.submissionId}`, ...callLimits() },
    );

  return {
    /**
     * Step 6: a label at once where the patient is given, and the shipment's record (D38).
     * @throws Unavailable when the shipping service said nothing, so that there may be a label; Rejected
     *
     * Safe to retry: a label on record is not asked for again, and the shipping service knows one by its key.
     */
    async shipOrder(input: {
      shipment: Omit<NewShipment, 'label'>;
      order: PharmacyOrder;
      patient?: PatientDetails;
      progress?: Progress;
    }): Promise<void> {
      const { shipment, order, patient } = input;
      const made = patient && (await findShipment(sql, order.submissionId));
      const label =
        patient && !made?.shipmentId ? await triedThrice(() => askForLabel({ order, patient })) : undefined;
      await openShipment(sql, label ? { ...shipment, label } : shipment);
    },

    /** A label alone. Safe to retry: the shipping service knows it by its key. */
    async createLabel(request: LabelRequest): Promise<CreatedShipment> {
      return calling(() => askForLabel(request));
    },
  };
};

export type ShipmentActivities = ReturnType<typeof createShipmentActivities>;
