import { z } from 'zod';
import { listAmendments } from '../../db/router/hold-answers.js';
import { findOrderFacts, type OrderFacts } from '../../db/router/item-context.js';
import { pharmacyTitle } from '../../domain/pharmacies.js';
import type { HoldChanges } from '../../domain/router/holds.js';
import type { PrescriptionSubmission } from '../../domain/router/submission.js';
import type { App, ServiceContext } from '../context.js';
import { fieldErrors, found, idOf } from '../http-errors.js';
import { noContext, orderContext, type ItemContext } from '../../integrations/worklist/contexts.js';

/** The order's fields that the desk shows beside its work item (D143). */
export function itemContextRoutes(signed: App, { sql }: ServiceContext): void {
  signed.get(
    '/rx/work-items/context/:submissionId',
    {
      config: { access: { action: 'item.read', record: 'submissionId' } },
      schema: {
        tags: ['Work items'],
        security: [{ signature: [] }],
        summary: 'A person needs these fields of an order to answer its work item',
        params: z.object({ submissionId: z.string() }),
        response: { 200: orderContext, ...fieldErrors(401, 403, 404, 429, 500) },
      },
    },
    async ({ params }) => {
      const id = idOf(params.submissionId, 'Submission');
      const facts = found(await findOrderFacts(sql, id), 'Submission');
      const changes = (await listAmendments(sql, id)).map((amendment) => ({ ...amendment.changes }));
      const { status, trackingNumber, carrier } = facts;
      return { context: contextOf(facts, changes), order: { status, trackingNumber, carrier } };
    },
  );
}

/** The prescription as it was changed. An erased order has no prescription left. */
function contextOf(
  { pharmacy, requestPayload, question, callbackUrl, lastError }: OrderFacts,
  changes: readonly HoldChanges[],
): ItemContext {
  const received = JSON.parse(requestPayload) as Partial<PrescriptionSubmission>;
  const change = changes.reduce<HoldChanges>((all, one) => ({ ...all, ...one }), {});
  const shipTo = change.shipTo ?? received.shipTo;
  const { patient, medication } = received;
  return {
    ...noContext,
    patient: patient
      ? { name: `${patient.firstName} ${patient.lastName}`, state: shipTo?.state ?? null }
      : null,
    medication: medication?.name ?? null,
    directions: change.sig ?? medication?.sig ?? null,
    quantity: change.quantity ?? medication?.quantity ?? null,
    daysSupply: change.daysSupply ?? medication?.daysSupply ?? null,
    shipTo: shipTo
      ? {
          addressLine1: shipTo.addressLine1,
          addressLine2: shipTo.addressLine2 ?? null,
          city: shipTo.city,
          state: shipTo.state,
          zip: shipTo.zip,
        }
      : null,
    pharmacy: pharmacyTitle(pharmacy),
    question,
    callbackUrl,
    lastError,
  };
}
