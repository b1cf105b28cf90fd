import { z } from 'zod';
import type { PrescriptionSubmission } from '../../domain/router/submission.js';
import { parseAnswer, parseJson } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

export type { PrescriptionSubmission };

const accepted = z.object({ submissionId: z.uuid(), pharmacy: z.string(), pharmacyOrderId: z.string() });
const refused = z.object({ error: z.string() });
const route = z.object({ pharmacy: z.string().nullable(), carriesMedication: z.boolean() });

type SubmissionAnswer = z.infer<typeof accepted> | { refusal: string };

export interface RouterClient {
  /**
   * Submits a prescription. A refusal that is final for this order (no route, the pharmacy's no, a conflict) comes
   * back as text. @throws OutboundError when there was no such answer
   */
  submit: (
    submission: PrescriptionSubmission,
    options: { timeoutMs: number; signal?: AbortSignal },
  ) => Promise<SubmissionAnswer>;
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
      const response = await signedCall(settings, {
        method: 'POST',
        resource: 'prescription',
        path: '/rx/prescriptions/submit',
        body: submission,
        ...options,
      });
      if (finalStatuses.has(response.status)) {
        const parsed = refused.safeParse(parseJson(party, response));
        return { refusal: parsed.success ? parsed.data.error : `${party} answered ${response.status}` };
      }
      return parseAnswer(party, response, accepted);
    },

    async routeOf(order, options) {
      const response = await signedCall(settings, {
        method: 'GET',
        resource: 'route',
        path: `/rx/route?${new URLSearchParams(order).toString()}`,
        ...options,
      });
      return parseAnswer(party, response, route);
    },
  };
}
