import { z } from 'zod';
import { parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

/** What the service says whose item was answered. */
const answered = z.object({ state: z.enum(['done', 'refused']), reason: z.string().nullable() });
export type OwnersAnswer = z.infer<typeof answered>;

export interface OwnerClient {
  /** Hands a person's answer to the service whose item it is. Safe to repeat. @throws OutboundError */
  answer: (
    itemId: string,
    answer: { answer: string; by: string; data: Record<string, unknown> },
    options: { timeoutMs: number; signal?: AbortSignal },
  ) => Promise<OwnersAnswer>;
}

/** @param path where that service takes answers */
export const createOwnerClient = (settings: SignedParty, path: string): OwnerClient => ({
  async answer(itemId, body, options) {
    const response = await signedCall(settings, {
      method: 'POST',
      resource: 'work-item',
      path: `${path}/${encodeURIComponent(itemId)}/answer`,
      body,
      ...options,
    });
    return parseAnswer(settings.party, response, answered);
  },
});
