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

/** What the router does when it hears of something. */
export const routerEvents = ({ sql }: WorkerContext): Handlers<'router'> => ({
  /**
   * A dispense that is completed in the EMR means that the order was delivered, unless it is final already (D29): told
   * to the client and logged like a pharmacy's own word. Idempotent by the event's id. A dispense that none of our
   * orders belongs to concerns somebody else.
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
