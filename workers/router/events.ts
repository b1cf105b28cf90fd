import { z } from 'zod';
import type { EventHandler } from '../../activities/events/deliveries.js';
import { refuse } from '../../activities/failures.js';
import { applyPharmacyUpdate } from '../../db/router/pharmacy-updates.js';
import { failureTypes } from '../../domain/failures.js';
import { pharmacies } from '../../domain/router/pharmacy-routing.js';
import type { WorkerContext } from '../context.js';

const dispensed = z.object({
  resource: z.looseObject({
    identifier: z.array(z.looseObject({ value: z.string().optional() })).optional(),
  }),
});

/**
 * A dispense that is completed in the EMR means that the order was delivered, unless it is final already (D29): told
 * to the client and logged like a pharmacy's own word. Idempotent by the event's id. A dispense that none of our
 * orders belongs to concerns somebody else.
 */
export const consumeDispenseCompleted =
  ({ sql }: WorkerContext): EventHandler =>
  async ({ id, detailType, detail }) => {
    const { data } = dispensed.safeParse(detail);
    if (!data) throw refuse(failureTypes.rejected, `${detailType} has no resource that can be read`);
    const identifiers = (data.resource.identifier ?? []).flatMap(({ value }) => (value ? [value] : []));
    if (identifiers.length === 0) return;
    await applyPharmacyUpdate(sql, {
      webhook: 'MedicationDispense.completed',
      pharmacies,
      pharmacyOrderIds: identifiers,
      status: 'delivered',
      trackingNumber: null,
      carrier: null,
      body: JSON.stringify(detail),
      eventId: id,
    });
  };
