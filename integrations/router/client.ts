import { z } from 'zod';
import { orderOutcomeHeader, type PrescriptionSubmission } from '../../domain/router/submission.js';
import { type OutboundResponse, parseAnswer, parseJson } from '../../platform/http/outbound.js';
import { callOwnService, type SignedParty } from '../../platform/http/signed-call.js';

export type { PrescriptionSubmission };

const accepted = z.object({ submissionId: z.uuid(), pharmacy: z.string(), pharmacyOrderId: z.string() });
const refused = z.object({ error: z.string(), submissionId: z.uuid().optional() });
/** A 502 with the pharmacy's word, or that there was none. */
const notOrdered = refused.extend({ submissionId: z.uuid(), status: z.literal('failed') });
const route = z.object({ pharmacy: z.string().nullable(), carriesMedication: z.boolean() });

interface SubmissionRefusal {
  refusal: string;
  /** The submission whose outcome nobody knows: the order may exist (D21), and the router finds out (D114). */
  unknownId?: string | undefined;
}

export interface RouterClient {
  /**
   * Submits a prescription. A refusal that is final for this order (no route, the pharmacy's no or silence, a conflict)
   * comes back as text. @throws OwnOutage when the router gave no such answer, OutboundError when it refused the call
   */
  submit: (
    submission: PrescriptionSubmission,
    options: { timeoutMs: number; signal?: AbortSignal },
  ) => Promise<z.infer<typeof accepted> | SubmissionRefusal>;
  /** Where an order would go, and whether the medication can be had there. Orders nothing. @throws OutboundError */
  routeOf: (
    order: { state: string; medication: string },
    options: { timeoutMs: number; signal?: AbortSignal },
  ) => Promise<z.infer<typeof route>>;
}

/** Statuses with which the router has decided: trying the same again brings the same (D34). */
const finalStatuses = new Set([400, 409, 422, 502]);

export function createRouterClient(settings: SignedParty): RouterClient {
  const { party } = settings;
  return {
    async submit(submission, options) {
      const path = '/rx/prescriptions/submit';
      const response = await callOwnService(
        settings,
        { method: 'POST', resource: 'prescription', path, body: submission, ...options },
        notOrdered,
      );
      return finalStatuses.has(response.status)
        ? readRefusal(party, response)
        : parseAnswer(party, response, accepted);
    },

    async routeOf(order, options) {
      const response = await callOwnService(settings, {
        method: 'GET',
        resource: 'route',
        path: `/rx/route?${new URLSearchParams(order).toString()}`,
        ...options,
      });
      return parseAnswer(party, response, route);
    },
  };
}

function readRefusal(party: string, response: OutboundResponse): SubmissionRefusal {
  const { success, data } = refused.safeParse(parseJson(party, response));
  if (!success) return { refusal: `${party} answered ${response.status}` };
  const { error: refusal, submissionId: unknownId } = data;
  return response.headers[orderOutcomeHeader] === 'unknown' ? { refusal, unknownId } : { refusal };
}
