import { z } from 'zod';
import { type CallLimits, parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const answered = z.object({ state: z.enum(['done', 'refused']), reason: z.string().nullable() });
export type OwnersAnswer = z.infer<typeof answered>;

export type OwnerClient = ReturnType<typeof createOwnerClient>;

/** The service that opened a work item. @param path where it takes answers */
export const createOwnerClient = (settings: SignedParty, path: string) => ({
  /** Sends the answer to a work item. Safe to repeat. @throws OutboundError */
  async answer(
    itemId: string,
    body: { answer: string; by: string; note: string | null; data: Record<string, unknown> },
    limits: CallLimits,
  ): Promise<OwnersAnswer> {
    const response = await signedCall(settings, {
      method: 'POST',
      resource: 'work-item',
      path: `${path}/${encodeURIComponent(itemId)}/answer`,
      body,
      ...limits,
    });
    return parseAnswer(settings.party, response, answered);
  },
});
