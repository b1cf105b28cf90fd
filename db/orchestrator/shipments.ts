import type { Queryable } from '../client.js';

export interface NewShipment {
  submissionId: string;
  taskId: string;
  pharmacy: string;
  label?: { shipmentId: string; trackingNumber: string; carrier: string };
}

/** Opens the shipment of an order: with its label, or waiting for the pharmacy to ship (D38). */
export async function openShipment(sql: Queryable, shipment: NewShipment): Promise<void> {
  const { submissionId, taskId, pharmacy, label } = shipment;
  await sql`
    insert into orchestrator.shipment (submission_id, task_id, pharmacy, state, shipment_id, tracking_number, carrier)
    values (
      ${submissionId}, ${taskId}, ${pharmacy}, ${label ? 'label_created' : 'awaiting_pharmacy'},
      ${label?.shipmentId ?? null}, ${label?.trackingNumber ?? null}, ${label?.carrier ?? null}
    )
    on conflict (submission_id) do nothing
  `;
}
