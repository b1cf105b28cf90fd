import { z } from 'zod';
import { orderOutcomeHeader, type PrescriptionSubmission } from '../../domain/router/submission.js';
import {
  type CallLimits,
  type OutboundResponse,
  parseAnswer,
  parseJson,
} from '../../platform/http/outbound.js';
import { callOwnService, type SignedParty } from '../../platform/http/signed-call.js';

export type { PrescriptionSubmission };

const accepted = z.object({ submissionId: z.uuid(), pharmacy: z.string(), pharmacyOrderId: z.string() });
const rejection = z.object({ error: z.string(), submissionId: z.uuid().optional() });
/** The router's own 502: the pharmacy rejected the order or did not answer. */
const notOrdered = rejection.extend({ submissionId: z.uuid(), status: z.literal('failed') });
const route = z.object({ pharmacy: z.string().nullable(), carriesMedication: z.boolean() });

interface SubmissionRejection {
  rejection: string;
  status: number;
  /** Set if the outcome is unknown: the order may exist (D21), and the router reconciles it (D114). */
  unknownId?: string | undefined;
}

export type RouterClient = ReturnType<typeof createRouterClient>;

/** Final statuses: a retry gets the same answer (D34). */
const finalStatuses = new Set([400, 409, 422, 502]);

export function createRouterClient(settings: SignedParty) {
  const { party } = settings;
  return {
    /**
     * Submits a prescription. A final rejection (no route, rejected or unanswered by the pharmacy, a conflict) is text.
     * @throws OwnOutage without such an answer, OutboundError if the router rejected the call
     */
    async submit(
      submission: PrescriptionSubmission,
      options: CallLimits,
    ): Promise<z.infer<typeof accepted> | SubmissionRejection> {
      const path = '/rx/prescriptions/submit';
      const response = await callOwnService(
        settings,
        { method: 'POST', resource: 'prescription', path, body: submission, ...options },
        notOrdered,
      );
      return finalStatuses.has(response.status)
        ? readRejection(party, response)
        : parseAnswer(party, response, accepted);
    },

    /** The pharmacy that would get an order, and whether it carries the medication. @throws OutboundError */
    async routeOf(order: { state: string; medication: string; key: string }, options: CallLimits) {
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

function readRejection(party: string, response: OutboundResponse): SubmissionRejection {
  const { success, data } = rejection.safeParse(parseJson(party, response));
  const { status } = response;
  if (!success) return { rejection: `${party} answered ${status}`, status };
  const { error, submissionId: unknownId } = data;
  return {
    rejection: error,
    status,
    ...(response.headers[orderOutcomeHeader] === 'unknown' && { unknownId }),
  };
}
