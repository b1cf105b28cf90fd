import { z } from 'zod';
import { detailOf, type Handlers } from '../../activities/events/deliveries.js';
import { applyPharmacyUpdate } from '../../db/router/pharmacy-updates.js';
import { pharmacies } from '../../domain/pharmacies.js';
import type { WorkerContext } from '../context.js';

const dispensed = z.object({
  resource: z.looseObject({
    identifier: z.array(z.looseObject({ value: z.string().optional() })).optional(),
  }),
});

export const routerEvents = ({ sql }: WorkerContext): Handlers<'router'> => ({
  /**
   * Marks an order as delivered when the EMR reports a completed dispense, unless its status is final (D29). The client
   * is notified as after a pharmacy's webhook.
   * Idempotent by the event's id. A dispense without a matching order is ignored.
   */
  'emr.medication_dispense.completed': async (event) => {
    const { resource } = detailOf(event, dispensed);
    const identifiers = (resource.identifier ?? []).flatMap(({ value }) => (value ? [value] : []));
    if (identifiers.length === 0) return;
    await applyPharmacyUpdate(sql, {
      webhook: 'MedicationDispense.completed',
      pharmacies,
      pharmacyOrderIds: identifiers,
      status: 'delivered',
      trackingNumber: null,
      carrier: null,
      body: JSON.stringify(event.detail),
      eventId: event.id,
    });
  },
});
